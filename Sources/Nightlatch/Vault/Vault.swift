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
    let biometrics: (any BiometricKeyring)?
    let hardener: (any PinHardener)?
    let offlinePin: OfflinePinPolicy
    let autoLock: AutoLock

    /// A vault in `store`, which may hold one already.
    ///
    /// - Parameters:
    ///   - store: Where the record lies; it is the vault's alone.
    ///   - clock: What waits are measured by. A person must not be able to set it forward.
    ///   - lockoutPolicy: How failed attempts are answered.
    ///   - pinPolicy: Which PINs may be set. It is not asked of a PIN that opens.
    ///   - keyDerivation: What a PIN that is set from now on is stretched with; must lie within `keyDerivationBounds`. A vault
    ///     with weaker parameters is raised to them at the next unlock.
    ///   - keyDerivationBounds: Which parameters are believed when they are read.
    ///   - biometrics: The keyring of this vault and no other; nil for a vault without biometrics.
    ///   - hardener: What has a part in the PIN: without it no PIN is right or wrong, for whoever has a copy of the record
    ///     (`docs/two-party-pin.md`). A vault whose device is bound moves to that of its relying party at the next unlock by PIN, and any vault
    ///     to one in a chip (``ChipPinHardener``), with which it is made as well. Nil for a vault that the PIN alone opens; a vault that
    ///     was moved needs its hardener from then on.
    ///   - offlinePin: What a PIN opens while the hardener is out of reach. ``OfflinePinPolicy/local`` gives up much of what a hardener is for:
    ///     read what it says. Without a hardener it changes nothing, nor with one in a chip, which is never out of reach.
    ///   - autoLock: After what time an open vault locks by itself.
    public init(
        store: any SecureStore,
        clock: any LockoutClock,
        lockoutPolicy: LockoutPolicy = .login,
        pinPolicy: PinPolicy = .default,
        keyDerivation: KeyDerivationParameters = .default,
        keyDerivationBounds: KeyDerivationBounds = .standard,
        biometrics: (any BiometricKeyring)? = nil,
        hardener: (any PinHardener)? = nil,
        offlinePin: OfflinePinPolicy = .refused,
        autoLock: AutoLock = .standard
    ) {
        precondition(keyDerivationBounds.contain(keyDerivation), "key derivation outside the bounds")
        self.store = store
        self.clock = clock
        lockout = Lockout(policy: lockoutPolicy)
        self.pinPolicy = pinPolicy
        self.keyDerivation = keyDerivation
        self.keyDerivationBounds = keyDerivationBounds
        self.biometrics = biometrics
        self.hardener = hardener
        self.offlinePin = hardener?.ownDevice == nil ? offlinePin : .refused
        self.autoLock = autoLock
    }

    /// How the vault stands, for a screen to show before a PIN is asked for. It counts as no attempt.
    ///
    /// What has passed of a wait is written down here, so that it counts after a restart of the device too. Where it cannot be written, the
    /// wait is told all the same; it is written by a later call.
    ///
    /// ``VaultState/absent`` says only that the store finds nothing now. Delete nothing because of it.
    ///
    /// - Throws: ``VaultRecordError`` if it cannot be told. That is never "no vault".
    public func state() async throws(VaultRecordError) -> VaultState {
        try await state { await triesLeft(in: $0) }
    }

    /// As ``state()``, for a PIN prompt that is about to be shown. A two-party PIN that the relying party has called destroyed or used up is asked
    /// about again before the person is told so: it may have been wrong, or have been restored since. Nothing is charged for that, and nothing else is
    /// asked of the relying party. What it says is believed only if it is signed by the key that the device has pinned. If it does not answer,
    /// the PIN stays blocked.
    ///
    /// - Throws: As ``state()``.
    public func stateForPrompt() async throws(VaultRecordError) -> VaultState {
        try await state { await triesLeftAskingAgain(in: $0) }
    }

    private func state(counting triesLeft: (VaultRecord) async -> Int) async throws(VaultRecordError) -> VaultState {
        var retries = ConflictRetries()
        // Ends: each round more is a conflict, and `retries` bounds those.
        while true {
            let record: VaultRecord
            switch try await find() {
            case .nothing: return .absent
            case .wiped: return .erased
            case .record(let found): record = found
            }
            let triesLeft = await triesLeft(record)
            guard triesLeft > 0 else { return .blocked(unblocking(record)) }
            switch lockout.decide(record.ledger, now: clock.continuousTime(), boot: clock.boot) {
            case .mayTry: return .ready(triesLeft: triesLeft)
            case .blocked: return .blocked(unblocking(record))
            case .wait(let time, rebased: nil): return .waiting(time, triesLeft: triesLeft)
            case .wait(let time, let rebased?):
                if try await writeDown(rebased, in: record, &retries) { return .waiting(time, triesLeft: triesLeft) }
            }
        }
    }

    /// The ways that lead into the vault, leaving waits aside; none if there is no vault. Nobody is asked for anything.
    public func ways() async throws(VaultRecordError) -> Set<VaultWay> {
        guard let record = try await read() else { return [] }
        var ways = Set(VaultWay.allCases.filter { record.sealed.slots.has($0) && !isClosed($0, in: record) })
        if await triesLeft(in: record) > 0 { ways.insert(.pin) }
        return ways
    }

    /// Removes the vault and all that is in it, whatever state it is in, with the keys that biometrics released for it. It is
    /// gone for good when this returns, and the next ``create(with:)`` begins anew; device keys that were guarded by it, and the
    /// record of a hardener in a chip (``ChipPinHardener/remove()``), are the caller's to remove. The vault of a profile is erased with
    /// ``Profiles/deregister(_:)``, which removes the rest too; erased by this call, it counts as missing.
    ///
    /// The openings of the vault in this process end before this returns (``OpenVaultEnd/superseded``), and screens that show it lock.
    ///
    /// - Throws: ``EraseVaultError``. The call can be repeated.
    public func erase() async throws(EraseVaultError) {
        let vaultID = await foundID
        do {
            try await store.erase()
        } catch {
            // The record may be gone all the same.
            await VaultOpenings.ofThisProcess.removed(vaultID)
            throw .record(.store(error))
        }
        await VaultOpenings.ofThisProcess.removed(vaultID)
        do {
            try await removeBiometricKeys()
        } catch {
            throw .biometrics(error)
        }
    }

    /// The id in the record; nil if none can be read, which is no reason not to erase it.
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

    /// The record; nil if the store finds none, or a tombstone.
    func read() async throws(VaultRecordError) -> VaultRecord? {
        guard case .record(let record) = try await find() else { return nil }
        return record
    }

    /// As ``read()``, for what must not depend on one wrong answer: a store that finds nothing is asked ``absenceLimit`` times.
    func readAskingAgain() async throws(VaultRecordError) -> VaultRecord? {
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

    /// How often a store must find nothing before that is believed.
    private static let absenceLimit = 3

    /// Writes `record` over the one it was made from, or where there is none if its revision is 0.
    ///
    /// - Returns: Whether it was written; if not, someone else has written. A caller that then starts again from ``read()`` uses
    ///   ``write(_:_:)``.
    func write(_ record: inout VaultRecord) async throws(VaultRecordError) -> Bool {
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

    /// As ``write(_:)``, in a loop that `retries` bounds.
    ///
    /// - Returns: Whether it was written; if not, the caller starts again from ``read()``.
    func write(_ record: inout VaultRecord, _ retries: inout ConflictRetries) async throws(VaultRecordError) -> Bool {
        let expected = record.revision
        if try await write(&record) { return true }
        try await note(&retries, replacing: expected)
        return false
    }

    func note(_ retries: inout ConflictRetries, replacing expected: UInt64) async throws(VaultRecordError) {
        do {
            try await retries.conflict(replacing: expected == 0 ? nil : expected)
        } catch {
            throw .store(error)
        }
    }
}
