/// A vault on this device behind a PIN: named secrets, sealed under a random key that only the PIN or another slot
/// unwraps.
///
/// The PIN is never stored, not even as a hash: it is right if and only if the vault opens. Every path that takes a PIN
/// charges the attempt in the store before the PIN is tried, so ending the app gives no free attempt. Each write
/// replaces the whole record at once. Whatever happens, exactly one PIN opens the vault afterwards, and the secrets are
/// complete.
///
/// ```swift
/// let vault = Vault(store: store, clock: SystemLockoutClock())
/// let open = try await vault.create(with: pin)
/// try await open.set(seed, named: "wallet-seed")
/// await open.lock()
/// ```
///
/// A value of this type contains no secret and can be copied freely.
public struct Vault: Sendable {
    let store: any SecureStore
    let clock: any LockoutClock
    /// The app's rules for wrong PINs.
    private let ownLockout: Lockout
    /// The rules for wrong PINs that the relying party demands; nil if it demands none.
    private var demandedLockout: Lockout?
    /// The rules for new PINs. The vault of a profile has the profile's policy.
    public private(set) var pinPolicy: PinPolicy
    private let pinRule: PinRule?
    let keyDerivation: KeyDerivationParameters
    let keyDerivationBounds: KeyDerivationBounds
    let biometrics: (any BiometricKeyring)?
    let hardener: (any PinHardener)?
    let offlinePin: OfflinePinPolicy
    let autoLock: AutoLock

    /// Creates a vault in `store`, which may contain one already.
    ///
    /// - Parameters:
    ///   - store: The store of the record. No other vault may use it.
    ///   - clock: The clock that measures waits. The user must not be able to set it forward.
    ///   - biometrics: The keyring of this vault and no other; nil for a vault without biometrics.
    ///   - hardener: The second party that a PIN needs, so that an attacker with a copy of the record cannot test a PIN
    ///     (`docs/two-party-pin.md`). A vault with a bound device moves to its relying party's hardener at the next
    ///     unlock by PIN. Any vault moves to a hardener in a chip (``ChipPinHardener``), and a new vault is made with
    ///     it. Nil for a vault that the PIN alone opens. A vault that was moved needs its hardener from then on.
    ///   - configuration: The policies of the vault.
    public init(
        store: any SecureStore,
        clock: any LockoutClock,
        biometrics: (any BiometricKeyring)? = nil,
        hardener: (any PinHardener)? = nil,
        configuration: VaultConfiguration = VaultConfiguration()
    ) {
        precondition(
            configuration.keyDerivationBounds.contain(configuration.keyDerivation),
            "keyDerivation must be within keyDerivationBounds")
        self.store = store
        self.clock = clock
        self.biometrics = biometrics
        self.hardener = hardener
        ownLockout = Lockout(policy: configuration.lockoutPolicy)
        pinPolicy = configuration.pinPolicy
        pinRule = configuration.pinRule
        keyDerivation = configuration.keyDerivation
        keyDerivationBounds = configuration.keyDerivationBounds
        offlinePin = hardener?.ownDevice == nil ? configuration.offlinePin : .refused
        autoLock = configuration.autoLock
    }

    /// Returns the reasons to refuse `pin` as a new PIN of this vault: those of the ``pinPolicy`` and of the app's
    /// ``VaultConfiguration/pinRule``. None if the PIN may be set. It does not count as an attempt.
    ///
    /// Each call that sets a PIN makes the same check. Use this method before a step that cannot be undone. It does not
    /// know the current PIN, so it never returns ``PinObjection/sameAsCurrent``.
    public func objections(to pin: borrowing Pin) -> [PinObjection] {
        newPinRules().objections(to: pin)
    }

    /// The rules for a new PIN that replaces `current`, if the user has just entered that.
    func newPinRules(otherThan current: PinBox? = nil) -> NewPinRules {
        NewPinRules(pinPolicy, rule: pinRule, otherThan: current)
    }

    /// Returns the same vault with another policy for new PINs, and with the policy for wrong PINs that the relying
    /// party demands; nil if it demands none.
    func under(_ pinPolicy: PinPolicy, lockout policy: LockoutPolicy? = nil) -> Vault {
        var vault = self
        vault.pinPolicy = pinPolicy
        if let policy { vault.demandedLockout = Lockout(policy: policy) }
        return vault
    }

    /// Returns the rules for wrong PINs: those that the relying party demands, or else the app's.
    ///
    /// A demanded ``LockoutEnd/recoveryPhrase`` applies only to a vault that has a recovery phrase. Without one, the
    /// last wrong PIN would leave a vault that nothing opens.
    func lockout(of record: VaultRecord) -> Lockout {
        guard let demandedLockout,
            demandedLockout.policy.end != .recoveryPhrase || record.sealed.slots.recovery != nil
        else { return ownLockout }
        return demandedLockout
    }

    /// Returns the policy for wrong PINs that applies now. The record is read only if the policy depends on it.
    func effectiveLockoutPolicy() async throws(VaultError) -> LockoutPolicy {
        guard let demandedLockout else { return ownLockout.policy }
        guard demandedLockout.policy.end == .recoveryPhrase else { return demandedLockout.policy }
        guard let record = try await read() else { return ownLockout.policy }
        return lockout(of: record).policy
    }

    /// Returns the state of the vault, to show before asking for a PIN. It does not count as an attempt.
    ///
    /// The call also records the elapsed part of a wait, so that it counts after a restart of the device. If that
    /// cannot be written, the wait is returned all the same, and a later call records it.
    ///
    /// ``VaultState/absent`` means only that the store finds nothing now. Delete nothing because of it.
    ///
    /// - Throws: ``VaultError`` if the state is unknown. An unknown state is never reported as "no vault".
    public func state() async throws(VaultError) -> VaultState {
        try await state { await triesLeft(in: $0) }
    }

    /// Returns ``state()``, for a PIN prompt that is about to be shown.
    ///
    /// If the relying party has reported that a two-party PIN is destroyed or used up, the call asks the relying party
    /// again before the user sees that: the statement may have been wrong, or the PIN may have been restored since. The
    /// question charges nothing. The answer counts only if the key that the device has pinned signed it. Without an
    /// answer, the PIN stays blocked.
    ///
    /// - Throws: The same errors as ``state()``.
    public func stateForPrompt() async throws(VaultError) -> VaultState {
        try await state { await triesLeftAskingAgain(in: $0) }
    }

    private func state(counting triesLeft: (VaultRecord) async -> Int) async throws(VaultError) -> VaultState {
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds the conflicts.
        while true {
            let record: VaultRecord
            switch try await find() {
            case .nothing: return .absent
            case .wiped: return .erased
            case .record(let found): record = found
            }
            let triesLeft = await triesLeft(record)
            guard triesLeft > 0 else { return .blocked(unblocking(record)) }
            switch lockout(of: record).decide(record.ledger, now: clock.continuousTime(), boot: clock.boot) {
            case .mayTry: return .ready(triesLeft: triesLeft)
            case .blocked: return .blocked(unblocking(record))
            case .wait(let time, rebased: nil): return .waiting(time, triesLeft: triesLeft)
            case .wait(let time, let rebased?):
                if try await writeDown(rebased, in: record, &retries) { return .waiting(time, triesLeft: triesLeft) }
            }
        }
    }

    /// Returns the slots that open the vault, regardless of waits; none if there is no vault. There is no prompt.
    public func slots() async throws(VaultError) -> Set<VaultSlot> {
        guard let record = try await read() else { return [] }
        var slots = Set(VaultSlot.allCases.filter { record.sealed.slots.has($0) && !isClosed($0, in: record) })
        if await triesLeft(in: record) > 0 { slots.insert(.pin) }
        return slots
    }

    /// Removes the vault and everything in it, whatever its state, and the keys that biometrics release for it.
    ///
    /// The vault is gone for good when this returns, and the next ``create(with:)`` makes a new one. The caller must
    /// remove device keys that the vault guarded, and the record of a hardener in a chip
    /// (``ChipPinHardener/remove()``). For the vault of a profile, use ``Profiles/deregister(_:)``, which removes the
    /// rest too; after this call, such a vault counts as missing.
    ///
    /// All `OpenVault` values of the vault in this process end before this returns (``OpenVaultEnd/superseded``), and
    /// screens that show them lock.
    ///
    /// - Throws: ``EraseVaultError``. The call can be repeated.
    public func erase() async throws(EraseVaultError) {
        let vaultID = await foundID
        do {
            try await store.erase()
        } catch {
            // The record may be gone despite the error.
            await VaultOpenings.ofThisProcess.removed(vaultID)
            throw .vault(.store(error))
        }
        await VaultOpenings.ofThisProcess.removed(vaultID)
        do {
            try await removeBiometricKeys()
        } catch {
            throw .biometrics(error)
        }
    }

    /// The id in the record; nil if none can be read. A vault without a readable id can still be erased.
    private var foundID: VaultID? {
        get async {
            do {
                return switch try await find() {
                case .nothing: nil
                case .record(let record): record.vaultID
                case .wiped(let tombstone): tombstone.vaultID
                }
            } catch {
                return nil
            }
        }
    }

    func removeBiometricKeys() async throws(BiometricError) {
        guard let biometrics else { return }
        for key in BiometricKeyID.allCases { try await biometrics.remove(key) }
    }

    /// Reads the record; nil if the store finds none, or a tombstone.
    func read() async throws(VaultError) -> VaultRecord? {
        guard case .record(let record) = try await find() else { return nil }
        return record
    }

    /// Reads the record as ``read()`` does, for callers that must not depend on one wrong answer: a store that finds
    /// nothing is asked ``absenceLimit`` times.
    func readAskingAgain() async throws(VaultError) -> VaultRecord? {
        var retries = ConflictRetries()
        for _ in 1..<Self.absenceLimit {
            switch try await find() {
            case .record(let record): return record
            case .wiped: return nil
            case .nothing: break
            }
            do {
                try await retries.again()
            } catch {
                throw .store(error)
            }
        }
        return try await read()
    }

    /// The number of times that a store must find nothing before the vault counts as absent.
    private static let absenceLimit = 3

    /// Writes `record` over the stored record that it was made from, or as a new record if its revision is 0.
    ///
    /// - Returns: Whether it was written. If not, another process has written. A caller that then starts again from
    ///   ``read()`` uses ``write(_:_:)``.
    func write(_ record: inout VaultRecord) async throws(VaultError) -> Bool {
        let expected = record.revision == 0 ? nil : record.revision
        record.revision += 1
        record.seal()
        record.recordMAC = try await recordMAC(of: record)
        let stored = try record.stored()
        do throws(StoreError) {
            try await store.replace(stored, expecting: expected)
            VaultOpenings.ofThisProcess.wrote(record)
            return true
        } catch {
            guard error.code == .conflict else { throw .store(error) }
            return false
        }
    }

    /// Writes `record` as ``write(_:)`` does, in a loop that `retries` bounds.
    ///
    /// - Returns: Whether it was written. If not, the caller starts again from ``read()``.
    func write(_ record: inout VaultRecord, _ retries: inout ConflictRetries) async throws(VaultError) -> Bool {
        let expected = record.revision
        if try await write(&record) { return true }
        try await note(&retries, replacing: expected)
        return false
    }

    func note(_ retries: inout ConflictRetries, replacing expected: UInt64) async throws(VaultError) {
        do {
            try await retries.conflict(replacing: expected == 0 ? nil : expected)
        } catch {
            throw .store(error)
        }
    }
}
