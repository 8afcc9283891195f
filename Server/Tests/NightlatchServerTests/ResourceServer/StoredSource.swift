import Nightlatch
import NightlatchRelyingParty
import NightlatchResourceServer
import NightlatchWire
import Synchronization

/// Keys as a relying party would publish them, with a count of how often they were asked for, and a way to fail.
actor StoredSource: SigningKeySource {
    private var keys: TokenKeys
    private var isFailing = false
    private var isSilent = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var count = 0

    init(keys: TokenKeys) {
        self.keys = keys
    }

    func replace(with keys: TokenKeys) { self.keys = keys }

    func fail() { isFailing = true }

    func mend() { isFailing = false }

    /// Answers nobody from now on.
    func fallSilent() { isSilent = true }

    /// Answers again, those too who wait.
    func speak() {
        isSilent = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func signingKeys() async throws(RelyingPartyError) -> JWKSet {
        count += 1
        if isSilent { await withCheckedContinuation { waiting.append($0) } }
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
