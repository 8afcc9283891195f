import ArgumentParser
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// `nightlatch devices revoke`
struct RevokeDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes one of your devices permanently. It can never log in again.")

    @Argument(help: "The device's id, as `nightlatch devices` lists it.")
    var device: String

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let device = try DeviceID.parse(device)
        let session = try await OpenClient.unlock(client.clientHome(), pins).resume()
        do {
            print(try await session.revoke(device).line)
        } catch {
            throw CommandFailure(error)
        }
    }
}
