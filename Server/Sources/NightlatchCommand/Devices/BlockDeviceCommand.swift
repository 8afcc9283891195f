import ArgumentParser
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// `nightlatch devices block`
struct BlockDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Blocks one of your devices until you unblock it: it keeps its keys, and cannot log in.")

    @Argument(help: "The device's id, as `nightlatch devices` lists it.")
    var device: String

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let device = try DeviceID.parse(device)
        let session = try await OpenClient.unlock(client.clientHome(), pins).resume()
        do {
            print(try await session.block(device).line)
        } catch {
            throw CommandFailure(error)
        }
    }
}
