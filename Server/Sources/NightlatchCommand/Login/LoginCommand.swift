import ArgumentParser
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// `nightlatch login`
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Logs in with this device's key.",
        discussion: "The refresh token is kept in the vault. The access token is printed only if you ask for it.")

    @Flag(help: "Print the access token.")
    var printAccessToken = false

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let session = try await OpenClient.unlock(client.clientHome(), pins).logIn()
        if printAccessToken {
            print(session.accessToken.rawValue)
        } else {
            print("logged in as \(session.user) with device \(session.device) for \(session.life.inWords)")
        }
    }
}
