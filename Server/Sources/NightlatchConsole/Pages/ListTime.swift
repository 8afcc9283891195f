import Foundation
import NightlatchWire

/// A minute in the query of a list, in UTC, as browsers write it in an input of the type `datetime-local`:
/// `2026-01-31T23:59`.
struct ListTime: Sendable {
    let text: String
    /// The last second of the minute.
    let end: NumericDate

    /// Parses a ``text``, also one with seconds. Returns nil for anything else.
    init?(_ text: String) {
        guard let match = text.wholeMatch(of: /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2})?/) else { return nil }
        do {
            let date = try Date(match.1 + ":00Z", strategy: .iso8601)
            self.init(minute: NumericDate(date).secondsSince1970 / 60)
        } catch {
            return nil
        }
    }

    /// The minute before `end`.
    init(before end: NumericDate) { self.init(minute: end.secondsSince1970 / 60 - 1) }

    private init(minute: Int) {
        let start = NumericDate(secondsSince1970: minute * 60)
        text = String(start.date.formatted(.iso8601).dropLast(4))
        end = NumericDate(secondsSince1970: minute * 60 + 59)
    }
}
