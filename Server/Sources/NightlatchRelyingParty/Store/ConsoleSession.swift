package import NightlatchWire

/// An operator who is signed in to the console. The browser keeps it, sealed; the relying party keeps nothing but which were signed out.
package struct ConsoleSession: Hashable, Sendable {
    /// How long it lives without a request.
    package static let idleLife: Duration = .seconds(15 * 60)
    /// How long it lives at most.
    package static let longestLife: Duration = .seconds(8 * 60 * 60)
    /// How old ``seenAt`` gets before it is written anew.
    package static let renewalInterval: Duration = .seconds(60)

    package let id: ConsoleSessionID
    package let startedAt: NumericDate
    /// When a request came last, to about ``renewalInterval``.
    package var seenAt: NumericDate

    /// A new one.
    package init(startedAt now: NumericDate) {
        self.init(id: .random(), startedAt: now, seenAt: now)
    }

    package init(id: ConsoleSessionID, startedAt: NumericDate, seenAt: NumericDate) {
        self.id = id
        self.startedAt = startedAt
        self.seenAt = seenAt
    }

    /// When it ends, whatever is done with it.
    package var endsAt: NumericDate { startedAt + Self.longestLife }

    /// Whether it may be used. A session that was begun or seen while the clock was ahead is over once the clock was put right.
    package func isAlive(at now: NumericDate) -> Bool {
        now < seenAt + Self.idleLife && now < endsAt && seenAt <= now + MessageLife.clockTolerance
    }

    /// The session as it is to be kept from `now` on; nil if what the browser has will do, or the session is over.
    package func renewed(at now: NumericDate) -> Self? {
        guard isAlive(at: now), now >= seenAt + Self.renewalInterval else { return nil }
        return Self(id: id, startedAt: startedAt, seenAt: now)
    }
}
