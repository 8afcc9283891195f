package import NightlatchWire

/// An operator's session in the console.
///
/// The browser stores it, sealed; the relying party stores only the ids of sessions that were signed out.
package struct ConsoleSession: Hashable, Sendable {
    /// The time after which a session without requests ends.
    package static let idleLife: Duration = .seconds(15 * 60)
    /// The longest lifetime of a session.
    package static let longestLife: Duration = .seconds(8 * 60 * 60)
    /// The age at which ``seenAt`` is updated.
    package static let renewalInterval: Duration = .seconds(60)

    package let id: ConsoleSessionID
    package let startedAt: NumericDate
    /// The time of the latest request, accurate to about ``renewalInterval``.
    package var seenAt: NumericDate

    /// Begins a new session.
    package init(startedAt now: NumericDate) {
        self.init(id: .random(), startedAt: now, seenAt: now)
    }

    package init(id: ConsoleSessionID, startedAt: NumericDate, seenAt: NumericDate) {
        self.id = id
        self.startedAt = startedAt
        self.seenAt = seenAt
    }

    /// The latest time at which the session ends.
    package var endsAt: NumericDate { startedAt + Self.longestLife }

    /// Whether the session is valid.
    ///
    /// A session whose times were written while the clock was ahead becomes invalid once the clock is corrected.
    package func isAlive(at now: NumericDate) -> Bool {
        now < seenAt + Self.idleLife && now < endsAt && seenAt <= now + MessageLife.clockTolerance
    }

    /// The session to store from `now` on; nil if the browser's copy is recent enough or the session is over.
    package func renewed(at now: NumericDate) -> Self? {
        guard isAlive(at: now), now >= seenAt + Self.renewalInterval else { return nil }
        return Self(id: id, startedAt: startedAt, seenAt: now)
    }
}
