import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire

/// Signing keys in memory. It counts the reads and can be made to fail.
actor ScriptedKeyStore: SigningKeyStore {
    private let base = MemoryRelyingPartyStore(clock: TestTime.clock)
    private(set) var readCount = 0
    private var isFailing = false

    func fail() { isFailing = true }

    func signingKeys() async throws(RelyingPartyStoreError) -> [SealedSigningKey] {
        readCount += 1
        guard !isFailing else { throw RelyingPartyStoreError(.unavailable) }
        return try await base.signingKeys()
    }

    func addSigningKey(
        _ key: SealedSigningKey,
        after newest: KeyID?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> [SealedSigningKey] {
        try await base.addSigningKey(key, after: newest, by: actor)
    }

    func removeSigningKeys(supersededBefore time: NumericDate) async throws(RelyingPartyStoreError) {
        try await base.removeSigningKeys(supersededBefore: time)
    }

    func limitSigningKeys(startBy time: NumericDate) async throws(RelyingPartyStoreError) {
        try await base.limitSigningKeys(startBy: time)
    }

    func forgetSigningKeys() async throws(RelyingPartyStoreError) -> Int { try await base.forgetSigningKeys() }
}
