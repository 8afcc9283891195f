import Foundation

/// A process that uses a vault in a file store. Its first argument names the work, its second the vault's path.
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

/// The work of the process.
package enum VaultProcessWork: String, Sendable {
    /// Shifts the wall clock by the seconds in the next argument, reads the vault's state, tries the wrong PIN in the
    /// argument after it, and prints a ``WallClockReport``.
    case askUnderAnotherClock = "ask-under-another-clock"
    /// Changes the PIN back and forth until the process is killed: ``PinChanging``. The PINs are the next arguments.
    case changePins = "change-pins"
    /// Tries PINs, all at the same time: ``PinGuessing``. The PINs are the next arguments.
    case guess
    /// Carries out the ``MemoryInspection`` on its standard input, and prints its ``MemoryFindings``.
    case lookIntoMemory = "look-into-memory"
}
