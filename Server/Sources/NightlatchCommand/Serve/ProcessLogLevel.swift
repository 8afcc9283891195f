package import Logging
import Synchronization

/// The log level of all loggers of this process. It can change while the process runs.
package final class ProcessLogLevel: Sendable {
    /// The levels that an operator can choose. Lines below `debug` are for the authors of libraries.
    package static let choices: [Logger.Level] = [.debug, .info, .notice, .warning, .error]

    private let configured: Logger.Level
    /// The position of the current level in ``choices``.
    private let position: Atomic<Int>

    /// Creates the level.
    ///
    /// - Parameter configured: The level at the start, one of ``choices``.
    package init(_ configured: Logger.Level) {
        self.configured = configured
        position = Atomic(Self.position(of: configured))
    }

    package var current: Logger.Level { Self.choices[position.load(ordering: .relaxed)] }

    /// The level after the next ``toggle()``: `debug`, or from there the configured level. If that is `debug` too, it
    /// is `info`.
    package var next: Logger.Level {
        guard current == .debug else { return .debug }
        return configured == .debug ? .info : configured
    }

    /// Changes the level to ``next``.
    package func toggle() {
        position.store(Self.position(of: next), ordering: .relaxed)
    }

    private static func position(of level: Logger.Level) -> Int { choices.firstIndex(of: level) ?? 1 }
}
