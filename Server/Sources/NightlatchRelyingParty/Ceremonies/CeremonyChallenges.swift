import CoreMetrics
import NightlatchWire

/// Makes the challenges of ceremonies, and opens their handles.
package struct CeremonyChallenges: Sendable {
    let sealer: ChallengeSealer
    let life: Duration

    package init(sealer: ChallengeSealer, life: Duration) {
        self.sealer = sealer
        self.life = life
    }

    /// Returns a fresh challenge for `purpose`, and the handle that carries it.
    func begin(
        _ purpose: SealedChallenge.Purpose,
        at now: NumericDate
    ) throws(Refusal) -> (SealedChallenge, ChallengeHandle) {
        switch purpose {
        case .binding: CeremonyMetrics.bindingChallenges.increment()
        case .login: CeremonyMetrics.loginChallenges.increment()
        case .decision: CeremonyMetrics.decisionChallenges.increment()
        case .remoteLogin: CeremonyMetrics.remoteLoginChallenges.increment()
        }
        guard let challenge = Challenge(bytes: RandomBytes.make(count: ChallengeRule.byteCount, at: now)) else {
            throw .internalError
        }
        let sealed = SealedChallenge(purpose: purpose, challenge: challenge, expiresAt: now + life)
        do {
            return (sealed, try sealer.seal(sealed))
        } catch {
            throw .internalError
        }
    }

    /// Opens `handle`. A challenge that was made while the clock was ahead counts as expired.
    func open(_ handle: ChallengeHandle, at now: NumericDate) throws(Refusal) -> SealedChallenge {
        let sealed: SealedChallenge
        do {
            sealed = try sealer.open(handle, at: now)
        } catch .expired {
            throw .challengeExpired
        } catch {
            throw .challengeRefused
        }
        guard sealed.expiresAt.isEnd(of: life, now: now) else { throw .challengeExpired }
        return sealed
    }
}
