import ArgumentParser
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// `nightlatch devices unblock`
struct UnblockDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Unblocks a device that you have blocked.")

    @Argument(help: "The device's id, as `nightlatch devices` lists it.")
    var device: String

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let device = try DeviceID.parse(device)
        let session = try await OpenClient.unlock(client.clientHome(), pins).resume()
        do {
            print(try await session.unblock(device).line)
        } catch {
            throw CommandFailure(error)
        }
    }
}
