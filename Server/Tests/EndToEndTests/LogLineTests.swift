import Foundation
import Logging
import NightlatchCommand
import Testing

@Suite("Log lines")
struct LogLineTests {
    private func line(
        _ seconds: Int = 0,
        fields: [(key: String, value: String)] = [],
        message: String = "Answered a request"
    ) -> String {
        let line = LogLine(
            secondsSince1970: seconds, milliseconds: 7, level: .info, label: "nightlatch",
            fields: fields.map { ($0.key, .text($0.value)) },
            message: message)
        return String(decoding: line.bytes, as: UTF8.self)
    }

    @Test("A line has the time, the level, the label, the message and the fields, in this order")
    func form() {
        #expect(
            line(fields: [("status", "200"), ("route", "/v1/devices"), ("a", "")])
                == "1970-01-01T00:00:00.007Z info nightlatch: Answered a request status=200 route=/v1/devices a=\"\"\n")
    }

    @Test("In JSON an integer is a number, and a text of digits is a text; as text both look the same")
    func numbers() throws {
        let handler = LineLogHandler(log: LineLog(label: "test", format: .json))
        let fields = handler.fields(own: [
            "status": .stringConvertible(200), "id": "200", "list": ["1"], "negative": .stringConvertible(-7),
            "fraction": .stringConvertible(0.5),
        ])
        func line(_ format: LogFormat) -> String {
            let line = LogLine(
                secondsSince1970: 0, milliseconds: 7, level: .info, label: "test", fields: fields, message: "m",
                format: format)
            return String(decoding: line.bytes, as: UTF8.self)
        }
        let object = #""fields":{"fraction":"0.5","id":"200","list":"[\"1\"]","negative":-7,"status":200}"#
        #expect(line(.json).contains(object), "\(line(.json))")
        #expect(line(.text).hasSuffix(#": m fraction=0.5 id=200 list="[\"1\"]" negative=-7 status=200\#n"#))
    }

    @Test("The date equals Foundation's for every day from 1970 to 2200")
    func dates() {
        let format = Date.ISO8601FormatStyle()
        for day in 0..<84_000 {
            let seconds = day * 86_400 + day * 7919 % 86_400
            let date = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(format)
            #expect(line(seconds).hasPrefix(date.dropLast() + ".007Z info "), "\(date)")
        }
    }

    @Test(
        "An entry is always one line, and no value can imitate another field",
        arguments: [
            ("two words", #""two words""#), ("a\nb", #""a\x0ab""#), ("a=b", "a=b"), (#"say "no""#, #""say \"no\"""#),
            (#"back\slash"#, #""back\\slash""#), ("\u{1B}[31m", #""\x1b[31m""#), ("é", "é"),
            ("\u{7F}", #""\x7f""#), (" ", #"" ""#), ("", #""""#),
        ])
    func escapes(value: String, written: String) {
        #expect(line(fields: [("field", value)]).hasSuffix(" field=\(written)\n"))
        #expect(line(message: value + "\n").filter { $0 == "\n" }.count == 1)
    }

    @Test(
        "The message has no quotation marks around it and cannot end the line",
        arguments: [
            ("two words", "two words"), ("é", "é"), ("a\nb", #"a\x0ab"#), ("\u{1F}", #"\x1f"#), ("\u{7F}", #"\x7f"#),
            (#"say "no""#, #"say \"no\""#), (#"back\slash"#, #"back\\slash"#), ("", ""),
        ])
    func messages(message: String, written: String) {
        #expect(line(message: message) == "1970-01-01T00:00:00.007Z info nightlatch: \(written)\n")
    }

    @Test(
        """
        All fields are sorted by name; the event's value takes precedence over the provider's, and that over the \
        logger's
        """)
    func fields() {
        let provider = Logger.MetadataProvider { ["b": "provider", "c": "provider", "Z": "provider"] }
        var handler = LineLogHandler(log: LineLog(label: "test", format: .text))
        handler.metadata = ["a": "logger", "b": "logger", "c": "logger"]
        #expect(handler.fields(own: [:]).map { "\($0)=\($1)" } == ["a=logger", "b=logger", "c=logger"])
        handler.metadataProvider = provider
        #expect(
            handler.fields(own: ["c": "event", "x": ["one", "two"]]).map { "\($0)=\($1)" }
                == ["Z=provider", "a=logger", "b=provider", "c=event", #"x=["one", "two"]"#])
    }
}
