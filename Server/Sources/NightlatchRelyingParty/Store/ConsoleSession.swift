package import NightlatchWire

/// An operator's session in the console: of the admin key, or of a person who signed in with a device.
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

    /// The session that the confirmed sign-in began; nil for the admin key. It ends if its device is blocked, revoked or
    /// replaced, and if its user is deleted. Its token was dropped, so no client can present it.
    package let signIn: JourneySessionHash?

    /// Begins a new session.
    package init(startedAt now: NumericDate, signIn: JourneySessionHash? = nil) {
        self.init(id: .random(), startedAt: now, seenAt: now, signIn: signIn)
    }

    package init(id: ConsoleSessionID, startedAt: NumericDate, seenAt: NumericDate, signIn: JourneySessionHash? = nil) {
        self.id = id
        self.startedAt = startedAt
        self.seenAt = seenAt
        self.signIn = signIn
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
        return Self(id: id, startedAt: startedAt, seenAt: now, signIn: signIn)
    }
}
