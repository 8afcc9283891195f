import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire

/// Apps in memory. It counts the reads, and can fail or answer late.
actor ScriptedAppStore: AppStore {
    private let base = MemoryRelyingPartyStore(clock: TestTime.clock)
    private(set) var readCount = 0
    private var failure: RelyingPartyStoreError?
    private var isHolding = false
    private var held: [CheckedContinuation<Void, Never>] = []

    /// Fails from now on; nil to answer again.
    func fail(_ failure: RelyingPartyStoreError?) { self.failure = failure }

    /// Keeps the answers of reads from now on. The answers contain the apps at the time of the read.
    func hold() { isHolding = true }

    /// Gives the held answers.
    func release() {
        isHolding = false
        for answer in held { answer.resume() }
        held = []
    }

    /// Gives the answer that was held last.
    func releaseLast() { held.popLast()?.resume() }

    /// Returns when `count` reads are held.
    func waitForReads(_ count: Int = 1) async {
        // Ends: when the test's other tasks read. Cancelling the test ends it too.
        while held.count < count, !Task.isCancelled { await Task.yield() }
    }

    func apps() async throws(RelyingPartyStoreError) -> [StoredApp] {
        readCount += 1
        if let failure { throw failure }
        let apps = try await base.apps()
        if isHolding { await withCheckedContinuation { held.append($0) } }
        return apps
    }

    func putApp(
        _ app: App, replacing revision: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> AppChangeOutcome {
        try await base.putApp(app, replacing: revision, by: actor)
    }

    func removeApp(_ id: ClientID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool {
        try await base.removeApp(id, by: actor)
    }
}
