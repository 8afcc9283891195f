/// A vault on this device, locked behind a PIN: named secrets sealed under a random key that only the PIN, or nothing, gives
/// back.
///
/// The PIN is never stored, not even as a hash: it is right if and only if the vault opens. Every path that takes a PIN
/// charges the attempt in the store before it is tried, so ending the app gives no free guess. Each write replaces the whole
/// record at once; whatever happens, exactly one PIN opens the vault afterwards and the secrets are whole.
///
/// ```swift
/// guard let seedName = SecretName(rawValue: "wallet-seed") else { … }
/// let vault = Vault(store: store, clock: SystemLockoutClock())
/// let open = try await vault.create(with: pin)
/// try await open.set(seed, named: seedName)
/// await open.lock()
/// ```
///
/// A value of this type holds no secret and can be copied freely.
public struct Vault: Sendable {
    let store: any SecureStore
    let clock: any LockoutClock
    let lockout: Lockout
    /// Which PINs may be set.
    public let pinPolicy: PinPolicy
    let keyDerivation: KeyDerivationParameters
    let keyDerivationBounds: KeyDerivationBounds

    /// A vault in `store`, which may hold one already.
    ///
    /// - Parameters:
    ///   - store: Where the record lies; it is the vault's alone.
    ///   - clock: What waits are measured by. A person must not be able to set it forward.
    ///   - lockoutPolicy: How failed attempts are answered.
    ///   - pinPolicy: Which PINs may be set. It is not asked of a PIN that opens.
    ///   - keyDerivation: What a PIN that is set from now on is stretched with; must lie within `keyDerivationBounds`.
    ///   - keyDerivationBounds: Which parameters are believed when they are read.
    public init(
        store: any SecureStore,
        clock: any LockoutClock,
        lockoutPolicy: LockoutPolicy = .login,
        pinPolicy: PinPolicy = .default,
        keyDerivation: KeyDerivationParameters = .default,
        keyDerivationBounds: KeyDerivationBounds = .standard
    ) {
        precondition(keyDerivationBounds.contain(keyDerivation), "key derivation outside the bounds")
        self.store = store
        self.clock = clock
        lockout = Lockout(policy: lockoutPolicy)
        self.pinPolicy = pinPolicy
        self.keyDerivation = keyDerivation
        self.keyDerivationBounds = keyDerivationBounds
    }

    /// How the vault stands, for a screen to show before a PIN is asked for. It counts as no attempt.
    ///
    /// - Throws: ``VaultRecordError`` if it cannot be told. That is never "no vault".
    public func state() async throws(VaultRecordError) -> VaultState {
        guard let record = try await read() else { return .absent }
        guard record.sealed.pinSlot != nil else { return .blocked(.newCredentials) }
        return switch lockout.decide(record.ledger, now: clock.continuousTime()) {
        case .mayTry: .ready(triesLeft: lockout.triesLeft(record.ledger))
        case .wait(let time, _): .waiting(time, triesLeft: lockout.triesLeft(record.ledger))
        case .blocked: .blocked(.newCredentials)
        }
    }

    /// Removes the vault and all that is in it, whatever state it is in. It is gone for good when this returns, and the next
    /// ``create(with:)`` begins anew; keys that were guarded by it are the caller's to remove.
    ///
    /// - Throws: ``VaultRecordError/store(_:)``; the vault may be there still, whole.
    public func erase() async throws(VaultRecordError) {
        do {
            try await store.erase()
        } catch {
            throw .store(error)
        }
    }

    func read() async throws(VaultRecordError) -> VaultRecord? {
        let stored: StoredRecord?
        do {
            stored = try await store.read()
        } catch {
            throw .store(error)
        }
        return try stored.map(VaultRecord.init)
    }

    /// Writes `record` over the one it was made from, or where there is none if its revision is 0.
    ///
    /// - Returns: Whether it was written; if not, someone else has written and the caller starts again from ``read()``.
    func write(_ record: inout VaultRecord) async throws(VaultRecordError) -> Bool {
        let expected = record.revision == 0 ? nil : record.revision
        record.revision += 1
        let stored = try record.stored()
        do throws(StoreError) {
            try await store.replace(stored, expecting: expected)
            return true
        } catch {
            guard error.code == .conflict else { throw .store(error) }
            return false
        }
    }
}
