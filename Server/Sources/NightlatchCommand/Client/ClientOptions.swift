import ArgumentParser
import Foundation
import Nightlatch
import NightlatchProgram

/// The options of all client commands.
struct ClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of this device's vault and keys.",
            discussion: "By default NIGHTLATCH_HOME, or .nightlatch in your home folder.", valueName: "folder"))
    var home: String?

    @OptionGroup var keyDerivation: KeyDerivationOptions

    @OptionGroup var trust: ServerTrustOptions

    /// Returns the folder from the option, else from the environment, else the default.
    ///
    /// - Throws: ``CommandFailure`` if the folder's name is empty, for example because a script's variable is not set.
    ///   An empty name would mean the root folder.
    func clientHome() throws(CommandFailure) -> ClientHome { try clientHome(sending: try trust.transport()) }

    /// Like ``clientHome()``, for commands that send nothing: they need no authorities.
    func offlineHome() throws(CommandFailure) -> ClientHome { try clientHome(sending: nil) }

    private func clientHome(sending transport: (any HTTPTransport)?) throws(CommandFailure) -> ClientHome {
        let path =
            home ?? CommandVariable.home.value
            ?? FileManager.default.homeDirectoryForCurrentUser.path + "/.nightlatch"
        guard !path.isEmpty else {
            throw CommandFailure(
                .usage,
                home == nil
                    ? "NIGHTLATCH_HOME is empty: set it to a folder, or unset it."
                    : "--home is empty: give a folder, or leave it out.")
        }
        return ClientHome(path: path, keyDerivation: try keyDerivation.parameters(), transport: transport)
    }
}
