import Crypto
import Nightlatch
import NightlatchTesting
import Testing

@Suite("The end of an opening", .timeLimit(.minutes(5)))
struct VaultOpeningTests {
    private let clock = ManualClock()
    private let store = MemoryStore()

    private func vault(_ autoLock: AutoLock = .never, biometrics: (any BiometricKeyring)? = nil) -> Vault {
        Vault.forTests(store, clock: clock, biometrics: biometrics, autoLock: autoLock)
    }

    @Test("An opening ends when its time ends, it is locked, or nothing refers to it")
    func locked() async throws {
        let open = try await vault(AutoLock(unused: .seconds(300), inBackground: .seconds(60))).create(TestPin.right)
        #expect(open.opening.end == nil)
        clock.advance(by: .seconds(300))
        #expect(open.opening.end == .locked)
        #expect(await open.opening.ended() == .locked)
        let again = try await vault().unlock(TestPin.right)
        await again.lock()
        #expect(again.opening.end == .locked)
        let opening = try await vault().unlock(TestPin.right).opening
        #expect(await opening.ended() == .locked)
    }

    @Test("A change of the vault by another part of the process ends an opening, without a call to it")
    func superseded() async throws {
        let open = try await vault().create(TestPin.right)
        try await vault().changePin(TestPin.right, to: TestPin.new)
        #expect(await open.opening.ended() == .superseded)
        while await open.holdsKey { await Task.yield() }
        await #expect(throws: VaultError.superseded) { try await open.names() }
        let next = try await vault().unlock(TestPin.new)
        _ = try await vault().giveUpPin()
        #expect(await next.opening.ended() == .superseded)
    }

    @Test("A change by another process ends an opening at its next use, or at an explicit check")
    func elsewhere() async throws {
        let open = try await vault().create(TestPin.right)
        let before = try #require(try await store.read())
        try await vault().changePin(TestPin.right, to: TestPin.new)
        #expect(await open.opening.ended() == .superseded)
        let after = try #require(try await store.read())
        store.plant(before)
        let (used, asked) = (try await vault().unlock(TestPin.right), try await vault().unlock(TestPin.right))
        store.plant(after)
        #expect(used.opening.end == nil && asked.opening.end == nil)
        await #expect(throws: VaultError.superseded) { try await used.names() }
        #expect(used.opening.end == .superseded)
        await asked.endIfSuperseded()
        #expect(asked.opening.end == .superseded)
    }

    @Test("Erasing the vault ends its openings before it returns, and no other vault's", arguments: [false, true])
    func erased(isDamaged: Bool) async throws {
        let opened = [try await vault().create(TestPin.right), try await vault().unlock(TestPin.right)]
        let other = try await Vault.forTests(MemoryStore(), clock: clock).create(TestPin.right)
        let copy = MemoryStore()
        copy.plant(try await store.read())
        let inCopy = try await Vault.forTests(copy, clock: clock).unlock(TestPin.right)
        if isDamaged { store.plant(StoredRecord(revision: 77, bytes: [1, 2, 3])) }
        try await vault().erase()
        #expect(opened.allSatisfy { $0.opening.end == .superseded })
        for open in opened { #expect(await open.isLocked) }
        for open in [other, inCopy] { #expect(try await open.names().isEmpty) }
    }

    @Test("A store that once fails to find the record ends no opening, at a use or at a check")
    func missedOnce() async throws {
        let faulty = FaultyStore(store)
        let open = try await Vault.forTests(faulty, clock: clock).create(TestPin.right)
        for _ in 0..<3 {
            faulty.missRecord(at: 0)
            await open.endIfSuperseded()
            #expect(open.opening.end == nil)
            for call in 0..<3 {
                faulty.missRecord(at: call)
                try await open.set("value", named: "name")
            }
        }
        #expect(try await open.text(named: "name") == "value")
        try await store.erase()
        await #expect(throws: VaultError.superseded) { try await open.names() }
    }

    @Test("A copy of the vault in another store ends nothing, and neither does an unreadable store")
    func copies() async throws {
        let open = try await vault().create(TestPin.right)
        let copy = MemoryStore()
        copy.plant(try await store.read())
        try await Vault.forTests(copy).changePin(TestPin.right, to: TestPin.new)
        await open.endIfSuperseded()
        #expect(try await open.names().isEmpty)
        let faulty = FaultyStore(store)
        let broken = try await Vault.forTests(faulty, clock: clock).unlock(TestPin.right)
        faulty.fail(at: 0, .before)
        await broken.endIfSuperseded()
        faulty.repair()
        #expect(try await broken.names().isEmpty)
    }

    @Test("A cancelled task that waits for the end gets no end, and keeps nothing")
    func cancelled() async throws {
        let open = try await vault().create(TestPin.right)
        let waiting = Task { await open.opening.ended() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        #expect(open.opening.end == nil)
    }

    @Test("If the PIN changes during a biometric prompt, the user is asked again, for the changed vault")
    func changedDuringPrompt() async throws {
        let keyring = InterruptingKeyring()
        let vault = vault(biometrics: keyring)
        try await vault.create(TestPin.right).setUpBiometrics()
        keyring.meanwhile.withLock { $0 = { try await vault.changePin(TestPin.right, to: TestPin.new).lock() } }
        let open = try await vault.unlockWithBiometrics(reason: "reason")
        #expect(keyring.keys.reasons.count == 2)
        #expect(open.opening.end == nil)
        #expect(try await open.names().isEmpty)
    }

    /// A sensor that runs a test's closure during its first prompt.
    private struct InterruptingKeyring: BiometricKeyring {
        let keys = ScriptedBiometrics()
        let meanwhile = Shared<(@Sendable () async throws -> Void)?>(nil)

        func availability() async -> BiometricAvailability { await keys.availability() }

        func create(_ key: BiometricKeyID) async throws(BiometricError) -> P256.KeyAgreement.PublicKey {
            try await keys.create(key)
        }

        func open(
            _ box: HPKEBox,
            with key: BiometricKeyID,
            info: [UInt8],
            reason: String
        ) async throws(BiometricError) -> SecretBytes {
            let act = meanwhile.withLock { $0.take() }
            do {
                try await act?()
            } catch {
                throw .interrupted
            }
            return try await keys.open(box, with: key, info: info, reason: reason)
        }

        func remove(_ key: BiometricKeyID) async throws(BiometricError) { try await keys.remove(key) }
    }
}
