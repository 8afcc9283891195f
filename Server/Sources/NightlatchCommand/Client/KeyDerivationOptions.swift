import ArgumentParser
import Nightlatch

/// What a new PIN is stretched with. A PIN that is set keeps what it was set with.
struct KeyDerivationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What the new PIN is stretched with: argon2id, or pbkdf2 where 64 MiB of memory cannot be had.",
            valueName: "function"))
    var keyDerivation = KeyDerivationFunction.argon2id
}

/// The functions that there are, by the names they have at the command line.
enum KeyDerivationFunction: String, CaseIterable, ExpressibleByArgument {
    case argon2id
    case pbkdf2

    var parameters: KeyDerivationParameters {
        switch self {
        case .argon2id: .default
        case .pbkdf2: .pbkdf2Default
        }
    }
}
