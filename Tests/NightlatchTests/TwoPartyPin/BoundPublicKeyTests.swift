import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Binding of a hardened slot to the hardener's public key")
struct BoundPublicKeyTests {
    @Test("With another public key of the hardener a slot does not open, even with the same PIN and output")
    func publicKey() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store, hardener: SameOutputHardener())
        try await vault.create(TestPin.right).set("seed", named: "wallet")
        #expect(try await vault.unlock(TestPin.right).texts() == ["wallet": "seed"])
        var record = try await store.json()
        let path = ["sealed", "slots", "pin", "hardened", "key", "public_key"]
        try #require(record[path[...]]?.text == SameOutputHardener.publicKey(2).rawValue)
        record[path[...]] = .string(SameOutputHardener.publicKey(3).rawValue)
        store.plant(StoredRecord(revision: try #require(try await store.read()).revision, bytes: record.bytes))
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await vault.unlock(TestPin.right)
        }
    }

    /// A hardener whose output depends on the input alone, whatever public key the slot names.
    private struct SameOutputHardener: PinHardener {
        let ownDevice: HardenedDevice? = HardenedDevice(chip: DeviceID(unchecked: String(repeating: "0", count: 32)))

        static func publicKey(_ first: UInt8) -> PinPublicKey {
            PinPublicKey(unchecked: Base64URL.encode([first] + Array(repeating: 7, count: 48)))
        }

        func harden(
            _ input: borrowing SecretBytes,
            for epoch: HardenedEpoch,
            in window: PinWindow?
        ) async throws(PinHardenerError) -> HardenedPin {
            let digest = unsafe input.withUnsafeBytes { unsafe Array(SHA384.hash(data: UnsafeRawBufferPointer($0))) }
            let guess = HardenedGuess(id: .random(), window: window ?? .first)
            guard let charged = PinGuessIDs([guess.id]) else { throw .notGenuine }
            return HardenedPin(key: SymmetricKey(data: digest), guess: guess, charged: charged, triesLeft: nil)
        }

        func opener(
            for binding: DeviceBinding,
            password: borrowing SecretBytes,
            code: EnrolmentCode?
        ) async throws(PinHardenerError) -> PinEpochOpener { throw .elsewhere(HardenedDevice(binding)) }

        func standing(of device: HardenedDevice) async throws(PinHardenerError) -> PinStanding { throw .notGenuine }

        func open(_ device: HardenedDevice, by opener: PinEpochOpener) async throws(PinHardenerError) -> HardenedEpoch {
            HardenedEpoch(device: device, epoch: .first, publicKey: Self.publicKey(2))
        }

        func hasLostAnswer(for epoch: HardenedEpoch) async -> Bool { false }

        func prove(
            _ guess: HardenedGuess,
            own: PinGuessIDs,
            for epoch: HardenedEpoch,
            by knowledgeKey: KnowledgeKey
        ) async throws(PinHardenerError) -> PinWindow { guess.window }

        func promote(
            _ candidate: HardenedEpoch,
            guess: HardenedGuess,
            knowledgeKey: KnowledgeKey,
            by opener: PinEpochOpener
        ) async throws(PinHardenerError) -> PinWindow { guess.window }

        func abandon(
            _ candidate: PinEpoch,
            of device: HardenedDevice,
            by opener: PinEpochOpener
        ) async throws(PinHardenerError) {}
    }
}
