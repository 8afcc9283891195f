import Foundation
import HTTPTypes
package import NightlatchRelyingParty
import NightlatchWire
import Synchronization

/// Formats the time for the `Date` header
/// ([RFC 9110, section 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)), at most once a second.
package final class HTTPDates: Sendable {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private let clock: WallClock
    private let last = Mutex<(time: NumericDate, text: String)?>(nil)

    package init(clock: WallClock = .system) {
        self.clock = clock
    }

    /// Returns the current time.
    package func text() -> String {
        let now = clock.now()
        return last.withLock { last in
            if let last, last.time == now { return last.text }
            let text = Self.text(for: now)
            last = (now, text)
            return text
        }
    }

    private static func text(for time: NumericDate) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let date = Date(timeIntervalSince1970: TimeInterval(time.secondsSince1970))
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        func number(_ part: Int?, digits: Int = 2) -> String {
            let text = String(part ?? 0)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let day = weekdays[(parts.weekday ?? 1) - 1]
        let month = months[(parts.month ?? 1) - 1]
        return "\(day), \(number(parts.day)) \(month) \(number(parts.year, digits: 4)) "
            + "\(number(parts.hour)):\(number(parts.minute)):\(number(parts.second)) GMT"
    }
}
