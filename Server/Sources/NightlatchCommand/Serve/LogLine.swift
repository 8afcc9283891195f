package import Logging
import NightlatchWire

/// A line of the log, as text or as JSON.
///
/// In text format: `2026-01-31T23:59:59.123Z info nightlatch: Answered a request route=/v1/devices status=200`.
package struct LogLine {
    package private(set) var bytes: [UInt8] = []

    /// Formats a line.
    ///
    /// - Parameters:
    ///   - secondsSince1970: The time of the event, in whole seconds.
    ///   - milliseconds: The milliseconds after that second.
    ///   - level: The log level.
    ///   - label: The label of the logger.
    ///   - fields: The metadata, each with a unique name, in the order of writing.
    ///   - message: The message.
    ///   - format: The format of the line.
    package init(
        secondsSince1970: Int,
        milliseconds: Int,
        level: Logger.Level,
        label: String,
        fields: [(key: String, value: LogValue)],
        message: String,
        format: LogFormat = .text
    ) {
        bytes.reserveCapacity(256)
        if format == .json {
            var time = Self(bytes: [])
            time.append(secondsSince1970: secondsSince1970, milliseconds: milliseconds)
            let line = JSONLogLine(
                time: String(decoding: time.bytes, as: UTF8.self), level: level.rawValue, logger: label,
                message: message,
                fields: Dictionary(uniqueKeysWithValues: fields.lazy.map { ($0.key, $0.value) }))
            bytes = Array(StrictJSON.encode(line)) + [UInt8(ascii: "\n")]
            return
        }
        append(secondsSince1970: secondsSince1970, milliseconds: milliseconds)
        for word in [level.rawValue, label] {
            bytes.append(UInt8(ascii: " "))
            append(word, plain: true)
        }
        bytes += ": ".utf8
        append(message, plain: true)
        for (name, value) in fields {
            bytes.append(UInt8(ascii: " "))
            append(name, plain: true)
            bytes.append(UInt8(ascii: "="))
            append(value.description, plain: false)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Appends the time in UTC ([RFC 3339](https://www.rfc-editor.org/rfc/rfc3339#section-5.6)).
    private mutating func append(secondsSince1970: Int, milliseconds: Int) {
        let (days, seconds) = (secondsSince1970 / 86_400, secondsSince1970 % 86_400)
        // The years of this calculation begin in March, so that a leap day is the last day of its year. An era is 400
        // such years. Day 0 is 0000-03-01.
        let daysOfEras = days + 719_468
        let (era, dayOfEra) = (daysOfEras / 146_097, daysOfEras % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        append(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), from: 1000, then: "-")
        append(month, from: 10, then: "-")
        append(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, from: 10, then: "T")
        append(seconds / 3600, from: 10, then: ":")
        append(seconds / 60 % 60, from: 10, then: ":")
        append(seconds % 60, from: 10, then: ".")
        append(milliseconds, from: 100, then: "Z")
    }

    /// Appends the digits of a number, then `end`. `highest` is the value of the first digit's place, such as 1000.
    private mutating func append(_ number: Int, from highest: Int, then end: Unicode.Scalar) {
        var unit = highest
        while unit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
            unit /= 10
        }
        bytes.append(UInt8(ascii: end))
    }

    /// Appends text so that it can neither end the line nor look like another field. A value is quoted, unless it is a
    /// plain word.
    private mutating func append(_ text: String, plain isPlain: Bool) {
        let least: UInt8 = isPlain ? 0x20 : 0x21
        var text = text
        // The text is copied in one piece if no character needs an escape, which is the usual case.
        let isWritten = text.withUTF8 { text in
            guard isPlain || !text.isEmpty,
                unsafe text.allSatisfy({ $0 >= least && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F })
            else { return false }
            unsafe bytes.append(contentsOf: text)
            return true
        }
        if isWritten { return }
        if !isPlain { bytes.append(UInt8(ascii: "\"")) }
        for byte in text.utf8 {
            switch byte {
            case 0..<0x20, 0x7F: bytes += (#"\x"# + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)).utf8
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            default: bytes.append(byte)
            }
        }
        if !isPlain { bytes.append(UInt8(ascii: "\"")) }
    }
}

/// The format of log lines.
package enum LogFormat: String, Sendable {
    /// Text for people.
    case text
    /// A JSON object in each line, for programs that collect logs.
    case json
}

/// A log line as a JSON object. Metadata is in the member `fields`, so that its names cannot clash with the other
/// members.
private struct JSONLogLine: Encodable {
    let time: String
    let level: String
    let logger: String
    let message: String
    let fields: [String: LogValue]
}
