/// A wait for display: rounded up, in at most two adjacent units. No part is zero.
///
/// Below an hour the units are minutes and seconds, below a day hours and minutes, and otherwise days and hours.
public struct WaitTime: Hashable, Sendable {
    public enum Unit: Hashable, Sendable, CaseIterable {
        case days, hours, minutes, seconds
    }

    public struct Part: Hashable, Sendable {
        public let count: Int
        public let unit: Unit
    }

    /// The parts, the larger unit first. There is at least one; a wait below a second counts as one second.
    public let parts: [Part]

    public init(_ wait: Duration) {
        let (whole, rest) = wait.components
        let seconds = Int(clamping: max(1, rest > 0 && whole < .max ? whole + 1 : whole))
        let minutes = Self.rounded(seconds, up: 60)
        let hours = Self.rounded(minutes, up: 60)
        let all: [Part] =
            if seconds < 60 * 60 {
                [Part(count: seconds / 60, unit: .minutes), Part(count: seconds % 60, unit: .seconds)]
            } else if minutes < 24 * 60 {
                [Part(count: minutes / 60, unit: .hours), Part(count: minutes % 60, unit: .minutes)]
            } else {
                [Part(count: hours / 24, unit: .days), Part(count: hours % 24, unit: .hours)]
            }
        parts = all.filter { $0.count > 0 }
    }

    private static func rounded(_ count: Int, up size: Int) -> Int {
        count / size + (count % size == 0 ? 0 : 1)
    }
}

extension WaitTime {
    package var inEnglish: String {
        joined(["day", "hour", "minute", "second"], ["days", "hours", "minutes", "seconds"])
    }

    /// French uses the singular up to 1.
    package var inFrench: String {
        joined(["jour", "heure", "minute", "seconde"], ["jours", "heures", "minutes", "secondes"])
    }

    /// In the dative case, as after "in".
    package var inGerman: String {
        joined(["Tag", "Stunde", "Minute", "Sekunde"], ["Tagen", "Stunden", "Minuten", "Sekunden"])
    }

    /// Returns the parts as a text.
    ///
    /// - Parameters:
    ///   - singular: The names of the units, in the order of ``Unit/allCases``.
    ///   - plural: The plural names, in the same order.
    private func joined(_ singular: [String], _ plural: [String]) -> String {
        let names = zip(Unit.allCases, zip(singular, plural))
        return parts.map { part in
            let name = names.first { $0.0 == part.unit }.map { part.count == 1 ? $0.1.0 : $0.1.1 }
            return "\(part.count) \(name ?? "")"
        }.joined(separator: " ")
    }
}
