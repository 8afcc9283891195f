import Foundation
import NightlatchWire

/// A time in the format of the pages, in UTC: `2026-01-31 23:59:59`.
struct ShownTime: Sendable {
    let text: String
    /// The time in machine-readable form ([RFC 3339](https://www.rfc-editor.org/rfc/rfc3339#section-5.6)).
    let machineText: String

    init(_ time: NumericDate) {
        machineText = time.date.formatted(.iso8601)
        text = String(machineText.dropLast()).replacing("T", with: " ")
    }
}

extension ShownTime {
    init?(_ time: NumericDate?) {
        guard let time else { return nil }
        self.init(time)
    }
}
