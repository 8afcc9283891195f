import NightlatchWire

/// When keys that sign access tokens come and go, so that no token that lives is ever without its key.
///
/// A key is published first. It signs from ``SealedSigningKey/activeFrom`` on: by then every process has read it, and every copy of
/// the published set that is older has run out. The key before it stays published until the last token by it has expired.
package struct SigningKeySchedule: Hashable, Sendable {
    /// How long others may keep the published set.
    package static let publishedSetLife: Duration = .seconds(5 * 60)
    /// How long a process may go by what it has read.
    package static let readInterval: Duration = .seconds(60)
    /// How long before its first use a key is published. Clocks may differ by as much as in `MessageLife.clockTolerance`.
    package static let publicationLead = publishedSetLife + readInterval + MessageLife.clockTolerance

    /// How long an access token lives.
    package let accessTokenLife: Duration
    /// How long a key signs before another takes its place; nil for as long as nobody asks for another.
    package let signingKeyLife: Duration?

    package init(accessTokenLife: Duration, signingKeyLife: Duration?) {
        self.accessTokenLife = accessTokenLife
        self.signingKeyLife = signingKeyLife
    }

    /// Whether `newest` is to be followed by another. One that is not used yet never is.
    func isDue(after newest: SealedSigningKey, at now: NumericDate) -> Bool {
        guard let signingKeyLife else { return false }
        return newest.activeFrom + signingKeyLife <= now
    }

    /// A key whose successor has signed since then has no token left that lives.
    func retirement(at now: NumericDate) -> NumericDate {
        now + (.zero - accessTokenLife - MessageLife.clockTolerance)
    }
}
