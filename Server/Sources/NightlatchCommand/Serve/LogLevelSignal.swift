import Logging
import ServiceLifecycle
import UnixSignals

/// Toggles the log level on each SIGUSR1, so that an operator can see more of a running server.
struct LogLevelSignal: Service {
    /// The signals. They are trapped before the server listens: an untrapped SIGUSR1 ends the process.
    let signals: UnixSignalsSequence
    let level: ProcessLogLevel
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in signals {
                let next = level.next
                // At a level above `notice` the line would be left out.
                if next <= .notice { level.toggle() }
                logger.notice("Changed the log level", metadata: ["level": .string(next.rawValue)])
                if next > .notice { level.toggle() }
            }
        }
    }
}
