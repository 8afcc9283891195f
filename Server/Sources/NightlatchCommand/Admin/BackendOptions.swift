import ArgumentParser
import NightlatchPlatform
import NightlatchServer
import NightlatchWire

/// What all commands take that do what an app's backend does.
struct BackendOptions: ParsableArguments {
    @Option(help: "The relying party's URL.")
    var server = "http://127.0.0.1:8080"

    @Option(help: "The file of the backend key.")
    var backendKeyFile = DataFolder.backendKey

    func backend() throws(CommandFailure) -> HTTPBackend {
        guard let server = Issuer(rawValue: server) else {
            throw CommandFailure(
                .usage, "“\(server)” cannot be a relying party: it takes https, or http on a loopback address.")
        }
        do {
            return HTTPBackend(issuer: server, key: try BackendKey.load(from: backendKeyFile))
        } catch {
            throw CommandFailure(error, path: backendKeyFile)
        }
    }

    static func user(_ text: String) throws(CommandFailure) -> UserID {
        guard let user = UserID(rawValue: text) else {
            throw CommandFailure(.usage, "“\(text)” cannot be a user id: 1 to 128 letters, digits and . _ - @ : = , +")
        }
        return user
    }
}
