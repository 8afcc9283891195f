import ArgumentParser
package import Nightlatch

/// The option for the key derivation of PINs.
package struct KeyDerivationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key derivation of the PIN.",
            discussion: """
                argon2id, pbkdf2-hmac-sha256, or either with its parameters: \(KeyDerivationParameters.argumentExample). By \
                default NIGHTLATCH_KEY_DERIVATION, or argon2id. The next unlock upgrades a PIN with \
                weaker parameters.
                """,
            valueName: "parameters"))
    var keyDerivation: String?

    package init() {}

    /// The parameters from the command line; nil if the option was not given.
    package func requested() throws(CommandFailure) -> KeyDerivationParameters? {
        guard let keyDerivation else { return nil }
        return try KeyDerivationParameters(argument: keyDerivation)
    }

    /// The parameters from the command line, else from the environment, else the default.
    package func parameters() throws(CommandFailure) -> KeyDerivationParameters {
        if let requested = try requested() { return requested }
        guard let argument = CommandVariable.keyDerivation.value else { return .default }
        return try KeyDerivationParameters(argument: argument)
    }
}
