import Nightlatch
import NightlatchResourceServer
import NightlatchServer
import NightlatchWire
import Synchronization

/// Keys as a relying party would publish them, with a count of how often they were asked for, and a way to fail.
actor StoredSource: SigningKeySource {
    private var keys: TokenKeys
    private var isFailing = false
    private(set) var count = 0

    init(keys: TokenKeys) {
        self.keys = keys
    }

    func replace(with keys: TokenKeys) { self.keys = keys }

    func fail() { isFailing = true }

    func mend() { isFailing = false }

    func signingKeys() async throws(RelyingPartyError) -> JWKSet {
        count += 1
        guard !isFailing else { throw .unreachable(reason: "a test") }
        return JWKSet(keys: await keys.publicKeys(now: TestTime.current))
    }
}

/// A moment that a test moves on.
final class TestInstant: Sendable {
    private let moment = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { moment.withLock { $0 } }

    func advance(by duration: Duration) { moment.withLock { $0 += duration } }
}
