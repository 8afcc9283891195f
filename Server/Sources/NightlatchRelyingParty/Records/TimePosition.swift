public import NightlatchWire

/// A place in a list that is ordered by a time, newest first, and then by an id.
public struct TimePosition: Hashable, Sendable {
    public let at: NumericDate
    public let id: String

    public init(at: NumericDate, id: String) {
        self.at = at
        self.id = id
    }
}

extension TimePosition: LosslessStringConvertible {
    /// The position as `TIME.ID`. A client sends it back to get the next page.
    public var description: String { "\(at.secondsSince1970).\(id)" }

    /// Parses a ``description``; returns nil for anything else.
    public init?(_ description: String) {
        let parts = description.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let seconds = Int(parts[0]), !parts[1].isEmpty, parts[1].utf8.count <= 64 else {
            return nil
        }
        self.init(at: NumericDate(secondsSince1970: seconds), id: String(parts[1]))
    }
}

extension TimePosition {
    /// The place of a remote login in the list of those that wait.
    public init(of login: RemoteLogin) {
        self.init(at: login.details.expiresAt, id: login.id.rawValue)
    }

    /// The place of the newest rows: after `until`, or `position` if there is one.
    package static func start(until: NumericDate?, _ position: TimePosition?) -> TimePosition {
        position ?? TimePosition(at: until.map { $0 + .seconds(1) } ?? .latest, id: "")
    }

    /// Whether this place comes before that of an older row.
    package func isBefore(_ other: TimePosition) -> Bool {
        at == other.at ? other.id.utf8.lexicographicallyPrecedes(id.utf8) : other.at < at
    }
}

extension NumericDate {
    /// A time after that of every row.
    package static let latest = NumericDate(secondsSince1970: 1 << 52)
}
