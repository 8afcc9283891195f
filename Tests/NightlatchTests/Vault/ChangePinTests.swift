import Nightlatch
import NightlatchTesting
import Testing

@Suite("Change of PIN")
struct ChangePinTests {
    @Test("The new PIN opens the same secrets and the old one opens nothing", arguments: StoreKind.allCases)
    func change(kind: StoreKind) async throws {
        let place = kind.make()
        let vault = Vault.forTests(place.store)
        let before = try await vault.create(TestPin.right)
        try await before.set("seed", named: "wallet")
        try await before.set("", named: "empty")
        let open = try await vault.changePin(TestPin.right, to: TestPin.new)
        #expect(try await open.texts() == ["wallet": "seed", "empty": ""])
        await #expect(throws: VaultError.superseded) { try await before.text(named: "wallet") }
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await vault.unlock(TestPin.right)
        }
        #expect(try await vault.unlock(TestPin.new).texts() == ["wallet": "seed", "empty": ""])
        #expect(try await place.store.json()["change"] == nil)
    }

    @Test("The vault works after many changes")
    func again() async throws {
        let vault = Vault.forTests(MemoryStore())
        try await vault.create(TestPin.right).set("seed", named: "wallet")
        let pins = [TestPin.right, TestPin.new, TestPin.newest, TestPin.right, TestPin.new, TestPin.wrong]
        for (old, new) in zip(pins, pins.dropFirst()) {
            try await vault.changePin(old, to: new).set(new, named: "latest")
        }
        #expect(try await vault.unlock(TestPin.wrong).texts() == ["wallet": "seed", "latest": TestPin.wrong])
    }

    @Test("A wrong old PIN changes nothing but the count")
    func wrongOldPin() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right).set("seed", named: "wallet")
        let before = try await store.json()["sealed"]
        await #expect(throws: ChangePinError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await vault.changePin(TestPin.wrong, to: TestPin.new)
        }
        #expect(try await store.json()["sealed"] == before)
        #expect(try await store.json()["change"] == nil)
        #expect(try await store.failures() == 1)
        try await vault.unlock(TestPin.right)
    }

    @Test("A new PIN that the policy forbids is refused before the old one is tested")
    func refusedNewPin() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right)
        let before = try await store.read()
        for old in [TestPin.right, TestPin.wrong] {
            await #expect(throws: ChangePinError.newPinRefused([.length(allowed: 6...6), .common(.year)])) {
                try await vault.changePin(old, to: "1987")
            }
        }
        #expect(try await store.read() == before)
    }

    @Test("The old PIN is refused as the new one before it is tested, whether or not it is right")
    func samePin() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right)
        let before = try await store.read()
        for pin in [TestPin.right, TestPin.wrong] {
            await #expect(throws: ChangePinError.newPinRefused([.sameAsCurrent])) {
                try await vault.changePin(pin, to: pin)
            }
        }
        await #expect(throws: ChangePinError.newPinRefused([.common(.run), .sameAsCurrent])) {
            try await vault.changePin("123456", to: "123456")
        }
        #expect(try await store.read() == before)
        try await vault.unlock(TestPin.right)
    }

    @Test("Salt, epoch and every box are new, so an old image and the old PIN open nothing that is written later")
    func nothingShared() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right).set("seed", named: "wallet")
        let before = try await store.json()
        // Back to the same PIN, so that only salts, epochs and keys can differ.
        try await vault.changePin(TestPin.right, to: TestPin.new)
        try await vault.changePin(TestPin.new, to: TestPin.right).set("later", named: "token")
        let after = try await store.json()
        #expect(before["vault_id"] == after["vault_id"])
        for path in [
            ["content", "epoch"], ["slots", "pin", "salt"], ["slots", "pin", "box"], ["slots", "pin", "commitment"],
            ["content", "mac"], ["content", "sealed_recipients"],
            ["content", "items", "wallet"],
        ] {
            let path = ["sealed"] + path
            #expect(before[path[...]] != nil && before[path[...]] != after[path[...]], "\(path)")
        }
        // The old slot, which the PIN opens in its own record, together with the present content.
        var mixed = after
        mixed["sealed", "slots", "pin"] = before["sealed", "slots", "pin"]
        let revision = try #require(try await store.read()).revision
        store.plant(StoredRecord(revision: revision, bytes: mixed.bytes))
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await vault.unlock(TestPin.right)
        }
    }

    @Test("New parameters take effect with a new PIN")
    func newParameters() async throws {
        let store = MemoryStore()
        try await Vault.forTests(store).create(TestPin.right).set("seed", named: "wallet")
        let dearer = Vault(
            store: store, clock: ManualClock(),
            configuration: VaultConfiguration(keyDerivation: .pbkdf2(iterations: 1000), keyDerivationBounds: .forTests))
        try await dearer.changePin(TestPin.right, to: TestPin.new)
        #expect(try await store.json()["sealed", "slots", "pin", "key_derivation", "iterations"] == .unsigned(1000))
        #expect(try await Vault.forTests(store).unlock(TestPin.new).texts() == ["wallet": "seed"])
    }

    @Test("The next unlock drops an unfinished change")
    func leftover() async throws {
        let store = FaultyStore(MemoryStore())
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right).set("seed", named: "wallet")
        // After the charge, the verdict and the write of the change.
        store.fail(at: 4, .after)
        await #expect(throws: ChangePinError.self) { try await vault.changePin(TestPin.right, to: TestPin.new) }
        store.repair()
        #expect(try await store.json()["change"] != nil)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.new) }
        #expect(try await vault.unlock(TestPin.right).texts() == ["wallet": "seed"])
        #expect(try await store.json()["change"] == nil)
    }
}
