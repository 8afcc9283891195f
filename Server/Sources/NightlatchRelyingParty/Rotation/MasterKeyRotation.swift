public import NightlatchWire

/// Replaces the master key of a store while relying parties run.
///
/// 1. The switch: new values are sealed under the new key. It needs all running processes to know both keys.
/// 2. The wait: until each process seals under the new key. Then no box under the old key can be stored any more.
/// 3. The work: keys of two-party PINs and signing keys are sealed again, in small transactions.
/// 4. The end: nothing stored is under the old key.
///
/// A rotation that was stopped or killed at any point continues when it is run again with the same keys. Several at the
/// same time do no harm: each step is a compare-and-swap.
public struct MasterKeyRotation: Sendable {
    /// The number of devices of one transaction.
    private static let batchSize = 50
    /// The largest number of walks through all devices. The last one finds nothing to do.
    private static let walkLimit = 6
    /// The interval and the number of looks at processes that do not seal under the new key yet.
    private static let (lookInterval, lookLimit) = (Duration.milliseconds(500), 150)

    private let store: any RelyingPartyStore
    private let old: MasterKey
    private let new: MasterKey
    private let isWithoutServers: Bool
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - store: The store.
    ///   - old: The key to be replaced.
    ///   - new: The key that replaces it.
    ///   - isWithoutServers: Whether to begin although no process reports itself. Then none must be running.
    ///   - clock: The clock of the waits.
    public init(
        of store: any RelyingPartyStore, from old: MasterKey, to new: MasterKey,
        isWithoutServers: Bool = false, clock: any Clock<Duration> = .continuous
    ) {
        self.isWithoutServers = isWithoutServers
        self.store = store
        self.old = old
        self.new = new
        self.clock = clock
    }

    /// What a rotation is doing.
    public enum Progress: Hashable, Sendable {
        /// New values are sealed under the new key from now on.
        case switched
        /// The switch was made by an earlier run.
        case continued
        /// These processes do not seal under the new key yet.
        case waiting(for: [RunningProcess])
        /// So many signing keys were sealed again.
        case signingKeys(Int)
        /// The keys of so many two-party PINs were sealed again so far.
        case pins(Int)
    }

    /// The result of a finished rotation.
    public struct Summary: Hashable, Sendable {
        /// The two-party PINs that open under neither key, in the order of the devices' ids. They stay as they are.
        public let damaged: [DamagedPin]
        /// The time after which nothing that was made under the old key is valid any more.
        public let oldKeyEndsAt: NumericDate
    }

    /// A two-party PIN that opens under neither key: it was damaged, or is under a third master key.
    public struct DamagedPin: Hashable, Sendable {
        public let device: DeviceID
        /// The master key that the stored key names, if it names one.
        public let masterKey: MasterKeyID?
    }

    /// Runs the rotation to its end.
    ///
    /// - Parameter report: Called with the progress.
    /// - Throws: ``MasterKeyRotationError``. Cancelling the task stops it with `store` `unavailable`.
    public func run(report: (Progress) -> Void) async throws(MasterKeyRotationError) -> Summary {
        guard old.id != new.id else { throw .sameKey }
        let keyring = MasterKeyring(old, other: new)
        let started = try await begin(keyring)
        report(started ? .switched : .continued)
        guard keyring.adopt(new.id) else { throw .sameKey }
        try await close(report: report)
        let damaged = try await sealAll(keyring, report: report)
        guard case .done(let end) = try await change(.finish(new.id)) else { throw .changedMeanwhile }
        return Summary(damaged: damaged, oldKeyEndsAt: end.previousEndsAt ?? end.since)
    }

    /// Switches to the new key.
    ///
    /// - Returns: False if that had been done before.
    private func begin(_ keyring: MasterKeyring) async throws(MasterKeyRotationError) -> Bool {
        let secrets = try await secrets(keyring)
        if secrets.keyring.sealing.id == new.id {
            let state = try await ask { () async throws(RelyingPartyStoreError) in try await store.masterKeyState() }
            // A store that never had the old key, such as one that began with the new one.
            guard let state, state.previous == old.id else { throw .sameKey }
            return false
        }
        guard let box = secrets.kept.sealed(under: new) else { throw .notSealed }
        switch try await change(.begin(from: old.id, to: new.id, keptSecrets: box, withoutServers: isWithoutServers)) {
        case .done: return true
        case .waiting(let processes) where processes.isEmpty: throw .noServers
        case .waiting(let processes): throw .unknownTo(processes)
        case .tooEarly(let end): throw .tooEarly(end)
        case .differs(let state?): throw .otherRotation(state)
        case .differs(nil): throw .noKey
        }
    }

    private func secrets(_ keyring: MasterKeyring) async throws(MasterKeyRotationError) -> RelyingPartySecrets {
        let isUsed = try await ask { () async throws(RelyingPartyStoreError) in
            try await !store.signingKeys().isEmpty
        }
        guard isUsed else { throw .noKey }
        do {
            return try await MasterKeyStart(keyring, in: store).record(in: store)
        } catch .store(let error) {
            throw .store(error)
        } catch .noSigningKey {
            throw .notSealed
        } catch {
            throw .masterKeyDoesNotFit
        }
    }

    /// Waits until every process seals under the new key, and fences the old one off.
    private func close(report: (Progress) -> Void) async throws(MasterKeyRotationError) {
        var waiting: [RunningProcess] = []
        for _ in 0..<Self.lookLimit {
            switch try await change(.close(new.id)) {
            case .done: return
            case .waiting(let processes):
                if processes.map(\.id) != waiting.map(\.id) { report(.waiting(for: processes)) }
                waiting = processes
            case .differs, .tooEarly: throw .changedMeanwhile
            }
            do {
                try await clock.sleep(for: Self.lookInterval)
            } catch {
                throw .store(RelyingPartyStoreError(.unavailable))
            }
        }
        throw .notFollowedBy(waiting)
    }

    /// Seals everything again: PINs first, so that until then the signing keys show a process that it needs both keys.
    ///
    /// - Returns: The two-party PINs with a key that opened under neither master key.
    private func sealAll(
        _ keyring: MasterKeyring, report: (Progress) -> Void
    ) async throws(MasterKeyRotationError) -> [DamagedPin] {
        let evaluator = PinEvaluator(keyring: keyring)
        for _ in 0..<Self.walkLimit {
            let (count, damaged) = try await sealPins(evaluator, report: report)
            // A walk that finds only damaged ones is the evidence that nothing else is left.
            guard count == 0 else { continue }
            let keys = try await sealSigningKeys(keyring)
            report(.signingKeys(keys))
            if keys == 0 { return damaged }
        }
        throw .unfinished
    }

    /// Seals all signing keys again.
    ///
    /// - Returns: The number of keys that this run found under the old key.
    private func sealSigningKeys(_ keyring: MasterKeyring) async throws(MasterKeyRotationError) -> Int {
        let keys = try await ask { () async throws(RelyingPartyStoreError) in try await store.signingKeys() }
        let rest = keys.filter { $0.masterKey != new.id }
        for key in rest {
            let sealed: SealedSigningKey
            do {
                sealed = try TokenSigningKey(key, underKeyOf: keyring)
                    .sealed(under: new, createdAt: key.createdAt, activeFrom: key.activeFrom)
            } catch {
                throw .damagedSigningKey(key.id)
            }
            _ = try await ask { () async throws(RelyingPartyStoreError) in
                try await store.replaceBox(key.box, of: sealed)
            }
        }
        return rest.count
    }

    /// Seals the keys of all two-party PINs again.
    ///
    /// - Returns: The number that were sealed, and those with a key that opened under neither master key.
    private func sealPins(
        _ evaluator: PinEvaluator, report: (Progress) -> Void
    ) async throws(MasterKeyRotationError) -> (Int, [DamagedPin]) {
        var (damaged, count): ([DamagedPin], Int) = ([], 0)
        var last: DeviceID?
        // Ends: `last` grows with each round, and no box under the old key is added behind it.
        while true {
            let place = last
            let batch = try await ask { () async throws(RelyingPartyStoreError) in
                try await store.pinKeys(notUnder: new.id, after: place, limit: Self.batchSize)
            }
            guard let end = batch.last?.device else { return (count, damaged) }
            last = end
            var replacements: [PinKeyReplacement] = []
            for stored in batch {
                let (keys, unopened) = await sealedAgain(stored, by: evaluator)
                if let unopened { damaged.append(unopened) }
                // Without keys, the row only gets its column.
                if unopened == nil || !keys.isEmpty {
                    replacements.append(PinKeyReplacement(device: stored.device, keys: keys))
                }
            }
            guard !replacements.isEmpty else { continue }
            let ready = replacements
            try await ask { () async throws(RelyingPartyStoreError) in try await store.replacePinKeys(ready) }
            count += ready.count
            report(.pins(count))
        }
    }

    /// The same keys under the new master key, and what opened under neither.
    private func sealedAgain(
        _ stored: StoredPinKeys, by evaluator: PinEvaluator
    ) async -> ([SealedPinKey: SealedPinKey], DamagedPin?) {
        guard let keys = stored.keys else { return ([:], DamagedPin(device: stored.device, masterKey: nil)) }
        var (new, damaged): ([SealedPinKey: SealedPinKey], DamagedPin?) = ([:], nil)
        for key in keys where key.masterKey != self.new.id {
            do {
                new[key] = try await evaluator.sealedAgain(key, of: stored.device)
            } catch {
                damaged = DamagedPin(device: stored.device, masterKey: key.masterKey)
            }
        }
        return (new, damaged)
    }

    private func change(_ change: MasterKeyChange) async throws(MasterKeyRotationError) -> MasterKeyChangeOutcome {
        try await ask { () async throws(RelyingPartyStoreError) in try await store.changeMasterKey(change) }
    }

    private func ask<Value>(
        _ verb: () async throws(RelyingPartyStoreError) -> Value
    ) async throws(MasterKeyRotationError) -> Value {
        do {
            return try await verb()
        } catch {
            throw .store(error)
        }
    }
}
