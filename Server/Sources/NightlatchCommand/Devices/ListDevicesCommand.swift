import ArgumentParser
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// `nightlatch devices list`
struct ListDevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists your devices, this one marked with a star.")

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        let session = try await OpenClient.unlock(client.clientHome(), pins).resume()
        do {
            for device in try await session.devices().devices { print(device.line) }
        } catch {
            throw CommandFailure(error)
        }
    }
}
