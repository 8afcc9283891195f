import ArgumentParser
import NightlatchPlatform
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// The options of all commands that act as an app's backend.
struct BackendOptions: ParsableArguments {
    @Option(help: "The relying party's URL.")
    var server = "http://127.0.0.1:8080"

    @Option(
        help: """
            The file of the backend key. (default: NIGHTLATCH_BACKEND_KEY_FILE, else nightlatch-data/backend.key)
            """)
    var backendKeyFile: String?

    @OptionGroup var trust: ServerTrustOptions

    func backend() throws(CommandFailure) -> HTTPBackend {
        let server = try Issuer.parse(server: server)
        let file = ToldSettings.value(.backendKeyFile, flag: backendKeyFile, default: DataFolder.backendKey).text
        let transport = try trust.transport()
        do {
            return HTTPBackend(issuer: server, key: try BackendKey.load(from: file), transport: transport)
        } catch {
            throw CommandFailure(error, path: file)
        }
    }

    static func user(_ text: String) throws(CommandFailure) -> UserID {
        guard let user = UserID(rawValue: text) else {
            throw CommandFailure(.usage, "This is not a user id, which has \(UserIDRule.requirement).")
        }
        return user
    }
}
