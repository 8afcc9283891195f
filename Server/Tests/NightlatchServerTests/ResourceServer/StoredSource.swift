import Nightlatch
import NightlatchRelyingParty
import NightlatchResourceServer
import NightlatchServerTesting
import NightlatchWire
import Synchronization

/// Keys as a relying party publishes them. It counts the requests and can be made to fail.
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

    /// Stops answering.
    func fallSilent() { isSilent = true }

    /// Answers again, including the waiting requests.
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

/// A moment that a test advances.
final class TestInstant: Sendable {
    private let moment = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { moment.withLock { $0 } }

    func advance(by duration: Duration) { moment.withLock { $0 += duration } }
}
