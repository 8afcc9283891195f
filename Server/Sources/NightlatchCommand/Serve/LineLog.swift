import Foundation
package import Logging

/// Writes lines to the log of this process. Never waits for the log: see ``LogWriter``.
package struct LineLog {
    private let label: String
    private let format: LogFormat
    private let writer: LogWriter

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - label: The label of the lines.
    ///   - format: The format of the lines.
    ///   - writer: The destination.
    package init(label: String, format: LogFormat, writer: LogWriter = .standardError) {
        self.label = label
        self.format = format
        self.writer = writer
    }

    /// Writes a line with the fields in the given order.
    package func write(_ level: Logger.Level, _ message: String, fields: [(key: String, value: LogValue)]) {
        writer.write(bytes(level, message, fields)) { count in
            bytes(.warning, "Dropped log lines", [("count", .number(count))])
        }
    }

    private func bytes(_ level: Logger.Level, _ message: String, _ fields: [(key: String, value: LogValue)]) -> [UInt8]
    {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return LogLine(
            secondsSince1970: now.tv_sec, milliseconds: now.tv_nsec / 1_000_000, level: level, label: label,
            fields: fields, message: message, format: format
        ).bytes
    }
}
