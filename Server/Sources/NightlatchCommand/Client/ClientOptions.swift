import ArgumentParser
import Foundation

/// What all commands of the client take.
struct ClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of this device's vault and keys.",
            discussion: "By default NIGHTLATCH_HOME, or .nightlatch in your home folder.", valueName: "folder"))
    var home: String?

    @OptionGroup var keyDerivation: KeyDerivationOptions

    func clientHome() throws(CommandFailure) -> ClientHome {
        let environment = ProcessInfo.processInfo.environment
        return ClientHome(
            path: home ?? environment["NIGHTLATCH_HOME"]
                ?? FileManager.default.homeDirectoryForCurrentUser.path + "/.nightlatch",
            keyDerivation: try keyDerivation.parameters())
    }
}
