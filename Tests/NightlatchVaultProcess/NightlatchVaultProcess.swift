import Foundation

/// A process that uses a vault in a file store as its first argument says; its second is the vault's path.
@main
struct NightlatchVaultProcess {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let work = arguments.first.flatMap(VaultProcessWork.init), let path = arguments.dropFirst().first else {
            throw CocoaError(.featureUnsupported)
        }
        let more = Array(arguments.dropFirst(2))
        switch work {
        case .askUnderAnotherClock: try await WallClockReport.print(path: path, shift: more[0], wrong: more[1])
        case .changePins: try await PinChanging(path: path, pin: more[0], other: more[1], wrong: more[2]).run()
        case .guess: try await PinGuessing(path: path, pins: more).run()
        case .lookIntoMemory: try await MemoryInspection.run(path: path)
        }
    }
}

/// What the process is started for.
package enum VaultProcessWork: String, Sendable {
    /// Shifts the wall clock by the seconds that follow, asks how the vault stands, tries the wrong PIN that follows, and prints a
    /// ``WallClockReport``.
    case askUnderAnotherClock = "ask-under-another-clock"
    /// Changes the PIN to and fro until the process is killed: ``PinChanging``, whose PINs follow.
    case changePins = "change-pins"
    /// Tries PINs all at once: ``PinGuessing``, whose PINs follow.
    case guess
    /// Carries out the ``MemoryInspection`` on its standard input, and prints its ``MemoryFindings``.
    case lookIntoMemory = "look-into-memory"
}
