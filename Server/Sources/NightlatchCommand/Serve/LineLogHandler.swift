import Foundation
import Logging

/// Writes each event as one line to standard error, with one call of the system, so that lines of several threads do not mix.
struct LineLogHandler: LogHandler {
    let label: String
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    private let format: LogFormat

    init(label: String, format: LogFormat) {
        self.label = label
        self.format = format
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let (own, provided) = (event.metadata ?? [:], metadataProvider?.get() ?? [:])
        // One dictionary of all would cost more than the line.
        var fields = Array(own)
        fields += provided.lazy.filter { own[$0.key] == nil }
        fields += metadata.lazy.filter { own[$0.key] == nil && provided[$0.key] == nil }
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let line = LogLine(
            secondsSince1970: now.tv_sec, milliseconds: now.tv_nsec / 1_000_000, level: event.level, label: label,
            fields: fields, message: event.message.description, format: format
        ).bytes
        // A log that cannot be written is no reason to stop serving.
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }
}
