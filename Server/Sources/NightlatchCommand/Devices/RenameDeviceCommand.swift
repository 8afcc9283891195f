import ArgumentParser
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// `nightlatch devices rename`
struct RenameDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Renames one of your devices.")

    @Argument(help: "The device's id, as `nightlatch devices` lists it.")
    var device: String

    @Argument(help: "The new name.")
    var name: String

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let device = try DeviceID.parse(device)
        let name = try DeviceName.parse(name)
        let session = try await OpenClient.unlock(client.clientHome(), pins).resume()
        do {
            print(try await session.rename(device, to: name).line)
        } catch {
            throw CommandFailure(error)
        }
    }
}
