package import ArgumentParser
import Foundation
import NightlatchPlatform

/// The exit codes of all commands. Scripts rely on them.
package enum CommandExit: Int32 {
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
    fileprivate static func end(with error: any Error, of command: (some ParsableCommand).Type) -> Never {
        let name = command.configuration.commandName ?? ProcessInfo.processInfo.processName
        if let failure = error as? CommandFailure {
            StandardStream.writeLine("\(name): " + failure.message, to: .standardError)
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
            StandardStream.writeLine("\(name): defect: \(error)", to: .standardError)
            Foundation.exit(defect.rawValue)
        }
    }
}

extension AsyncParsableCommand {
    /// Runs the command named in the arguments.
    ///
    /// A crash writes no core dump. After an error, the process ends with the error's exit code.
    ///
    /// - Parameter check: Called before the command begins. It is not called for help and version.
    package static func runToExit(checking check: () throws(CommandFailure) -> Void = {}) async {
        CoreDumps.forbid()
        do {
            var command = try parseAsRoot()
            // The parser turns --help into this command.
            if type(of: command).configuration.commandName != "help" { try check() }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            CommandExit.end(with: error, of: Self.self)
        }
    }
}
