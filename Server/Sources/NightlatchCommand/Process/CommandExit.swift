import ArgumentParser
import Foundation

/// The exit codes of every command. Scripts rely on them.
enum CommandExit: Int32 {
    case done = 0
    /// Wrong PIN, locked, rejected.
    case refused = 1
    /// The command was not called as it must be.
    case usage = 2
    /// The network or the store is out of reach.
    case unavailable = 3
    /// A defect of this program.
    case defect = 70

    /// Ends the process as `error` demands: what was asked for (help, a version) on stdout, anything else on stderr.
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
