import Foundation
import Logging
package import NightlatchServer

/// Writes lines to standard error, each with one call of the system, so that those of several threads do not mix.
package struct LineLog: AccessLog {
    private let label: String
    private let format: LogFormat

    /// - Parameters:
    ///   - label: Whose lines they are.
    ///   - format: How they are written.
    package init(label: String, format: LogFormat) {
        self.label = label
        self.format = format
    }

    package func write(_ request: AnsweredRequest) {
        write(.info, AnsweredRequest.message, fields: request.fields)
    }

    /// Writes a line, whose fields stand in the order given.
    func write(_ level: Logger.Level, _ message: String, fields: [(key: String, value: String)]) {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let line = LogLine(
            secondsSince1970: now.tv_sec, milliseconds: now.tv_nsec / 1_000_000, level: level, label: label,
            fields: fields, message: message, format: format
        ).bytes
        // A log that cannot be written is no reason to stop serving.
        _ = unsafe Foundation.write(STDERR_FILENO, line, line.count)
    }
}
