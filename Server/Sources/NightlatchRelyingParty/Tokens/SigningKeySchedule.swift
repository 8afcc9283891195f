import NightlatchWire

/// The times at which access token signing keys are added and deleted, so that every valid token always has its key.
///
/// A key is first published. It signs from ``SealedSigningKey/activeFrom`` on: by then every process has read it, and
/// every older cached copy of the published set has expired. The previous key stays published until the last token that
/// it signed has expired.
package struct SigningKeySchedule: Hashable, Sendable {
    /// The time for which clients may cache the published set.
    package static let publishedSetLife: Duration = .seconds(5 * 60)
    /// The time for which a process may use the keys that it has read.
    package static let readInterval: Duration = .seconds(60)
    /// The time between a key's publication and its first use. Clocks may differ by `MessageLife.clockTolerance`.
    package static let publicationLead = publishedSetLife + readInterval + MessageLife.clockTolerance

    /// The lifetime of an access token.
    package let accessTokenLife: Duration
    /// The time for which a key signs before another one replaces it; nil if keys are replaced only on request.
    package let signingKeyLife: Duration?

    package init(accessTokenLife: Duration, signingKeyLife: Duration?) {
        self.accessTokenLife = accessTokenLife
        self.signingKeyLife = signingKeyLife
    }

    /// Whether `newest` is due to be replaced; false if it does not yet sign.
    func isDue(after newest: SealedSigningKey, at now: NumericDate) -> Bool {
        guard let signingKeyLife else { return false }
        return newest.activeFrom + signingKeyLife <= now
    }

    /// The time that decides which keys are deleted: a key whose successor began to sign at this time or earlier has no
    /// valid token left.
    func retirement(at now: NumericDate) -> NumericDate {
        // An app may have tokens with a longer life than devices.
        let longest = max(accessTokenLife, .seconds(App.accessTokenSeconds.upperBound))
        return now + (.zero - longest - MessageLife.clockTolerance)
    }
}
