import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about sealing again while other verbs run, which every store keeps.
package enum MasterKeyRaceConformance {
    /// Lets the store begin and close a rotation, so that only `new` is accepted.
    private static func rotate(
        _ store: any RelyingPartyStore, from old: MasterKeyID, to new: MasterKeyID, closing: Bool = true
    ) async throws {
        _ = try await store.changeMasterKey(.establish(old, keptSecrets: [1]))
        _ = try await store.changeMasterKey(.begin(from: old, to: new, keptSecrets: [2], withoutServers: true))
        if closing { _ = try await store.changeMasterKey(.close(new)) }
    }

    private static func key(_ key: SealedPinKey, under id: MasterKeyID?, box: [UInt8]) -> SealedPinKey {
        SealedPinKey(epoch: key.epoch, publicKey: key.publicKey, box: box, masterKey: id)
    }

    private static func current(of pin: PinSteps) async throws -> SealedPinKey {
        try #require(try await pin.store.pinHardening(of: pin.id).current)
    }

    package static let requirements: [StoreRequirement] = [
        StoreRequirement("Before the first rotation, boxes under any key are stored; later, only those that may open") {
            store in
            let (old, new) = (MasterKeyID.random(), MasterKeyID.random())
            let pin = try await PinSteps.enrolled(in: store)
            func open(_ epoch: Int, under id: MasterKeyID?) async throws -> PinStepOutcome {
                try await pin.take(
                    .open(Self.key(try PinSteps.key(epoch), under: id, box: [3]), code: nil), by: pin.knowledge)
            }
            func add(under id: MasterKeyID?) async throws -> Int {
                let store = pin.store
                let last = try await store.signingKeys().last
                let key = SealedSigningKey(
                    id: try TestKey.newEC().id, box: [3], masterKey: id, createdAt: TestTime.current,
                    activeFrom: (last?.activeFrom ?? TestTime.current) + .seconds(1))
                return try await store.addSigningKey(key, after: last?.id).count
            }
            _ = try await store.changeMasterKey(.establish(old, keptSecrets: [1]))
            _ = try await open(2, under: nil)
            #expect(try await add(under: nil) == 1)
            try await Self.rotate(store, from: old, to: new, closing: false)
            _ = try await open(3, under: old)
            _ = try await open(4, under: new)
            #expect(try await add(under: old) == 2)
            #expect(try await add(under: new) == 3)
            _ = try await store.changeMasterKey(.close(new))
            _ = try await open(5, under: new)
            #expect(try await add(under: new) == 4)
            let state = try await store.pinHardening(of: pin.id)
            let foreign: [MasterKeyID?] = [old, nil, MasterKeyID.random()]
            for foreign in foreign {
                await #expect(throws: RelyingPartyStoreError(.unavailable)) { try await open(6, under: foreign) }
                await #expect(throws: RelyingPartyStoreError(.unavailable)) { try await add(under: foreign) }
            }
            #expect(try await store.pinHardening(of: pin.id) == state)
            #expect(try await store.signingKeys().count == 4)
        },

        StoreRequirement("Keys that are not under the new key are found in pages, counted, and replaced once") {
            store in
            let new = MasterKeyID.random()
            let pin = try await PinSteps.enrolled(in: store)
            let old = try await Self.current(of: pin)
            #expect(try await store.use(of: new).pins == .init(under: 0, other: 1))
            let found = try await store.pinKeys(notUnder: new, after: nil, limit: 5)
            #expect(found.map(\.device) == [pin.id] && found.first?.keys == [old])
            #expect(try await store.pinKeys(notUnder: new, after: pin.id, limit: 5).isEmpty)
            let sealed = Self.key(old, under: new, box: [8])
            for replaced in [Self.key(old, under: nil, box: [9]), sealed] {
                // Neither is the stored key.
                try await store.replacePinKeys([PinKeyReplacement(device: pin.id, keys: [replaced: sealed])])
                #expect(try await Self.current(of: pin) == old)
            }
            let stranger = PinKeyReplacement(device: .random(), keys: [old: sealed])
            try await store.replacePinKeys([stranger, PinKeyReplacement(device: pin.id, keys: [old: sealed])])
            #expect(try await Self.current(of: pin) == sealed)
            #expect(try await store.use(of: new).pins == .init(under: 1, other: 0))
            #expect(try await store.pinKeys(notUnder: new, after: nil, limit: 5).isEmpty)
            // A step of the device keeps the box.
            let guess = try await pin.charged(PinSteps.element(), epoch: 1, window: 1)
            #expect(guess.key == sealed)
            #expect(try await store.use(of: new).pins == .init(under: 1, other: 0))
        },

        StoreRequirement("A replacement that comes after a promotion or a destruction brings no epoch back") { store in
            let new = MasterKeyID.random()
            let pin = try await PinSteps.enrolled(in: store)
            let first = try await Self.current(of: pin)
            try await pin.open(2, by: pin.knowledge)
            let guess = try await pin.charged(PinSteps.element(), epoch: 2, window: 1)
            _ = try await pin.take(.promote(PinSteps.promotion(guess.id, epoch: 2, window: 1, key: .random())))
            let promoted = try await store.pinHardening(of: pin.id)
            let late = PinKeyReplacement(device: pin.id, keys: [first: Self.key(first, under: new, box: [8])])
            try await store.replacePinKeys([late])
            #expect(try await store.pinHardening(of: pin.id) == promoted)
            #expect(promoted.current?.epoch == PinSteps.epoch(2))

            _ = try await store.revoke(pin.id, of: pin.user, by: .operator)
            let second = try #require(promoted.current)
            let destroyed = try await store.pinHardening(of: pin.id)
            try await store.replacePinKeys([
                PinKeyReplacement(device: pin.id, keys: [second: Self.key(second, under: new, box: [8])])
            ])
            #expect(try await store.pinHardening(of: pin.id) == destroyed)
            #expect(destroyed.current == nil)
            #expect(try await store.use(of: new).pins == .init(under: 0, other: 0))
        },

        StoreRequirement("A replacement changes only boxes: the epoch, the public key and the counts stay") { store in
            let new = MasterKeyID.random()
            let pin = try await PinSteps.enrolled(in: store)
            let old = try await Self.current(of: pin)
            _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1)
            try await pin.open(2, by: pin.knowledge)
            let before = try await store.pinHardening(of: pin.id)
            let candidate = try #require(before.candidate?.key)
            let swapped = PinKeyReplacement(
                device: pin.id, keys: [old: Self.key(candidate, under: new, box: [8])])
            try await store.replacePinKeys([swapped])
            #expect(try await store.pinHardening(of: pin.id) == before)
            try await store.replacePinKeys([
                PinKeyReplacement(
                    device: pin.id,
                    keys: [
                        old: Self.key(old, under: new, box: [8]),
                        candidate: Self.key(candidate, under: new, box: [9]),
                    ])
            ])
            let after = try await store.pinHardening(of: pin.id)
            #expect(after.current == Self.key(old, under: new, box: [8]))
            #expect(after.candidate?.key == Self.key(candidate, under: new, box: [9]))
            #expect(after.guesses == before.guesses && after.window == before.window)
            #expect(after.nextEpoch == before.nextEpoch && after.knowledgeKey == before.knowledgeKey)
            #expect(try await store.use(of: new).pins == .init(under: 1, other: 0))
        },

        StoreRequirement("A guess at a key that the process cannot open is not charged, and another process charges it")
        { store in
            let pin = try await PinSteps.enrolled(in: store)
            let (old, new) = (try await Self.current(of: pin), MasterKeyID.random())
            try await store.replacePinKeys([
                PinKeyReplacement(device: pin.id, keys: [old: Self.key(old, under: new, box: [8])])
            ])
            let before = try await store.pinHardening(of: pin.id)
            let guess = try pin.guess(PinSteps.element(), epoch: 1, window: 1)
            func record(knowing keys: Set<MasterKeyID>?) async throws -> PinStepOutcome {
                try await store.recordPinStep(
                    PinStep(signer: try pin.device.possession.id, rounds: .default, knownKeys: keys, guess),
                    of: pin.id, user: pin.user)
            }
            await #expect(throws: RelyingPartyStoreError(.unavailable)) { try await record(knowing: [.random()]) }
            #expect(try await store.pinHardening(of: pin.id) == before)
            guard case .charged = try await record(knowing: [.random(), new]) else {
                throw StepFailed(outcome: "not charged")
            }
        },

        StoreRequirement("Guesses, openings and replacements at the same time lose neither a guess nor a box") {
            store in
            let (old, new) = (MasterKeyID.random(), MasterKeyID.random())
            let pin = try await PinSteps.enrolled(in: store)
            try await Self.rotate(store, from: old, to: new)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1) }
                }
                group.addTask {
                    let key = Self.key(try PinSteps.key(2), under: new, box: [3])
                    _ = try await pin.take(.open(key, code: nil), by: pin.knowledge)
                }
                for number in 0..<4 {
                    group.addTask {
                        for stored in try await store.pinKeys(notUnder: new, after: nil, limit: 9) {
                            let keys = (stored.keys ?? []).filter { $0.masterKey != new }
                            let replaced = keys.map { ($0, Self.key($0, under: new, box: [UInt8(number)])) }
                            try await store.replacePinKeys([
                                PinKeyReplacement(
                                    device: stored.device, keys: Dictionary(uniqueKeysWithValues: replaced))
                            ])
                        }
                    }
                }
                try await group.waitForAll()
            }
            let state = try await store.pinHardening(of: pin.id)
            #expect(state.guesses.count == 8)
            #expect(state.current?.masterKey == new && state.candidate?.key.masterKey == new)
            #expect(try await store.use(of: new).pins == .init(under: 1, other: 0))
        },
    ]
}
