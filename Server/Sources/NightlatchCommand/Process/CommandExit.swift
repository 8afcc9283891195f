import ArgumentParser
import Foundation

/// The exit codes of all commands. Scripts rely on them.
enum CommandExit: Int32 {
    case done = 0
    /// A refusal: wrong PIN, locked, or rejected.
    case refused = 1
    /// The command was used incorrectly.
    case usage = 2
    /// The network or the store cannot be reached.
    case unavailable = 3
    /// A defect of this program.
    case defect = 70

    /// Ends the process with the exit code for `error`. Prints requested output (help, version) to stdout and
    /// everything else to stderr.
    static func end(with error: any Error, of command: (some ParsableCommand).Type) -> Never {
        if let failure = error as? CommandFailure {
            StandardStream.writeLine("nightlatch: " + failure.message, to: .standardError)
            Foundation.exit(failure.exit.rawValue)
        }
        switch command.exitCode(for: error) {
        case .success:
            StandardStream.writeLine(command.fullMessage(for: error), to: .standardOutput)
            Foundation.exit(done.rawValue)
        case .validationFailure:
            StandardStream.writeLine(command.fullMessage(for: error), to: .standardError)
            Foundation.exit(usage.rawValue)
        default:
            StandardStream.writeLine("nightlatch: defect: \(error)", to: .standardError)
            Foundation.exit(defect.rawValue)
        }
    }
}
