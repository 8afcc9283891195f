import Logging
import Synchronization

/// A log handler that keeps the lines.
struct KeptLog: LogHandler {
    final class Lines: Sendable {
        let lines = Mutex<[String]>([])

        /// The lines, each with its level, its message and its fields.
        var all: [String] { lines.withLock(\.self) }
    }

    let kept: Lines
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    init(_ kept: Lines) {
        self.kept = kept
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        kept.lines.withLock { $0.append("\(event.level) \(event.message)\(fields)") }
    }
}
