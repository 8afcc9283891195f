import Foundation

/// A process that uses a vault in a file store, or memory as a vault does. Its first argument names the work. If the
/// work uses a vault, the second argument is the vault's path.
@main
struct NightlatchVaultProcess {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let work = arguments.first.flatMap(VaultProcessWork.init) else { throw CocoaError(.featureUnsupported) }
        switch work {
        case .askUnderAnotherClock:
            try await WallClockReport.print(path: arguments[1], shift: arguments[2], wrong: arguments[3])
        case .changePins:
            try await PinChanging(path: arguments[1], pin: arguments[2], other: arguments[3], wrong: arguments[4]).run()
        case .guess: try await PinGuessing(path: arguments[1], pins: Array(arguments.dropFirst(2))).run()
        case .lookIntoFreedBlocks: try FreedBlockInspection.run()
        case .lookIntoMemory: try await MemoryInspection.run(path: arguments[1])
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
    /// Carries out the ``FreedBlockInspection`` on its standard input, and prints its findings. Uses no vault.
    case lookIntoFreedBlocks = "look-into-freed-blocks"
    /// Carries out the ``MemoryInspection`` on its standard input, and prints its ``MemoryFindings``.
    case lookIntoMemory = "look-into-memory"
}
