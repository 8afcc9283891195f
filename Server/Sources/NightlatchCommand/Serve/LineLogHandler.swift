package import Logging

/// Writes each event as one line.
package struct LineLogHandler: LogHandler {
    /// The level of this logger; nil for that of the process.
    private var ownLevel: Logger.Level?
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let log: LineLog
    private let processLevel: ProcessLogLevel

    package init(log: LineLog, processLevel: ProcessLogLevel = ProcessLogLevel(.info)) {
        self.log = log
        self.processLevel = processLevel
    }

    package var logLevel: Logger.Level {
        get { ownLevel ?? processLevel.current }
        set { ownLevel = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        log.write(event.level, event.message.description, fields: fields(own: event.metadata ?? [:]))
    }

    /// Returns the metadata of an event, sorted by name. For the same name, the event's own value wins, then the
    /// provider's, then the logger's.
    package func fields(own: Logger.Metadata) -> [(key: String, value: LogValue)] {
        metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(own) { $1 }
            .sorted { $0.key < $1.key }.map { ($0.key, LogValue($0.value)) }
    }
}
