import NightlatchWire

/// When access token signing keys are added and deleted, so that every valid token always has its key.
///
/// A key is first published. It signs from ``SealedSigningKey/activeFrom`` on: by then every process has read it, and
/// every older cached copy of the published set has expired. The previous key stays published until the last token that
/// it signed has expired.
package struct SigningKeySchedule: Hashable, Sendable {
    /// How long clients may cache the published set.
    package static let publishedSetLife: Duration = .seconds(5 * 60)
    /// How long a process may use the keys that it has read.
    package static let readInterval: Duration = .seconds(60)
    /// How long before its first use a key is published. Clocks may differ by `MessageLife.clockTolerance`.
    package static let publicationLead = publishedSetLife + readInterval + MessageLife.clockTolerance

    /// The life of an access token.
    package let accessTokenLife: Duration
    /// How long a key signs before another one replaces it; nil if keys are replaced only on request.
    package let signingKeyLife: Duration?

    package init(accessTokenLife: Duration, signingKeyLife: Duration?) {
        self.accessTokenLife = accessTokenLife
        self.signingKeyLife = signingKeyLife
    }

    /// Whether `newest` is due to be replaced. A key that does not yet sign never is.
    func isDue(after newest: SealedSigningKey, at now: NumericDate) -> Bool {
        guard let signingKeyLife else { return false }
        return newest.activeFrom + signingKeyLife <= now
    }

    /// A key has no valid token left if its successor began to sign at this time or earlier.
    func retirement(at now: NumericDate) -> NumericDate {
        now + (.zero - accessTokenLife - MessageLife.clockTolerance)
    }
}
