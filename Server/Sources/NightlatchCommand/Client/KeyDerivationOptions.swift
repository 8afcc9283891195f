import ArgumentParser
import Foundation
import Nightlatch

/// What PINs are stretched with, if it is not to be the default.
struct KeyDerivationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What the PIN is stretched with.",
            discussion: """
                argon2id, pbkdf2-hmac-sha256, or either with its parameters: \(KeyDerivationParameters.argumentExample). By \
                default NIGHTLATCH_KEY_DERIVATION, or argon2id. A PIN that is stretched with less is stretched anew at the \
                next unlock.
                """,
            valueName: "parameters"))
    var keyDerivation: String?

    /// What was asked for on the command line, or nil.
    func requested() throws(CommandFailure) -> KeyDerivationParameters? {
        guard let keyDerivation else { return nil }
        return try KeyDerivationParameters(argument: keyDerivation)
    }

    /// What PINs are to be stretched with.
    func parameters() throws(CommandFailure) -> KeyDerivationParameters {
        if let requested = try requested() { return requested }
        guard let argument = ProcessInfo.processInfo.environment["NIGHTLATCH_KEY_DERIVATION"] else { return .default }
        return try KeyDerivationParameters(argument: argument)
    }
}
