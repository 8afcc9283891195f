import Logging
import Synchronization

/// A log handler that keeps the lines.
struct KeptLog: LogHandler {
    final class Lines: Sendable {
        let lines = Mutex<[String]>([])

        /// The lines, each with its level, its message and its fields.
        var all: [String] { lines.withLock(\.self) }

        /// The fields of each answered request.
        var answered: [[String: String]] {
            let start = "info Answered a request "
            return all.filter { $0.hasPrefix(start) }.map { line in
                let fields = line.dropFirst(start.count).split(separator: " ").map { $0.split(separator: "=") }
                return Dictionary(uniqueKeysWithValues: fields.map { (String($0[0]), String($0[1])) })
            }
        }
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
