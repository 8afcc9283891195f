import Nightlatch
import NightlatchTesting
import Testing

@Suite("Signing with a wallet key")
struct WalletSigningTests {
    /// A vault with two keys, and its record.
    private struct Scene {
        let store = MemoryStore()
        let clock = ManualClock()
        let vault: Vault
        let keys: [WalletPublicKey]

        init(policy: LockoutPolicy = .login) async throws {
            vault = .forTests(store, clock: clock, policy: policy)
            let open = try await vault.create(TestPin.right)
            keys = [
                try await open.createWalletKey(named: "first", kind: .ed25519),
                try await open.createWalletKey(named: "second", kind: .p256),
            ]
            await open.lock()
        }
    }

    #if os(Linux) || os(macOS)
    @Test("Python, which shares no code with ours, confirms signatures over exactly the given bytes")
    func python() async throws {
        let scene = try await Scene()
        let messages: [[UInt8]] = [[], [0], Array(0...255), Array(repeating: 0xab, count: 100_000)]
        var signatures: [WalletSignature] = []
        for key in scene.keys {
            for message in messages {
                let signature = try await scene.vault.sign(message, with: key.name, TestPin.right)
                #expect(signature.count == 64)
                signatures.append(WalletSignature(key: key, signed: message, signature: signature))
            }
        }
        #expect(try WalletSignature.verdicts(of: signatures) == Array(repeating: "valid", count: 8))
        let wrong = signatures.map { WalletSignature(key: $0.key, signed: $0.signed + [1], signature: $0.signature) }
        #expect(try WalletSignature.verdicts(of: wrong) == Array(repeating: "invalid", count: 8))
    }
    #endif

    @Test("An imported key signs as the standard specifies", arguments: KnownWalletKey.all)
    func imported(known: KnownWalletKey) async throws {
        let vault = Vault.forTests(MemoryStore())
        let open = try await vault.create(TestPin.right)
        let key = try await open.importWalletKey(known.privateKey, named: known.name, kind: known.kind)
        let message = Array("sample".utf8)
        let signature = try await vault.sign(message, with: known.name, TestPin.right)
        let verdicts = try WalletSignature.verdicts(of: [
            WalletSignature(key: key, signed: message, signature: signature)
        ])
        #expect(verdicts == ["valid"])
    }

    @Test("A wrong PIN is charged and signs nothing, even while the vault is open elsewhere")
    func wrongPin() async throws {
        let scene = try await Scene()
        let open = try await scene.vault.unlock(TestPin.right)
        for tries in [9, 8] {
            await #expect(throws: WalletSigningError.refused(.wrong(triesLeft: tries, wait: nil))) {
                try await scene.vault.sign([1], with: "first", TestPin.wrong)
            }
        }
        #expect(try await scene.store.failures() == 2)
        #expect(try await open.walletKeys() == scene.keys)
        // Only after the right PIN does the error reveal whether the key exists.
        await #expect(throws: WalletSigningError.refused(.wrong(triesLeft: 7, wait: .seconds(30)))) {
            try await scene.vault.sign([1], with: "unknown", TestPin.wrong)
        }
        // A wait also refuses the right PIN.
        await #expect(throws: WalletSigningError.refused(.waiting(.seconds(30), triesLeft: 7))) {
            try await scene.vault.sign([1], with: "first", TestPin.right)
        }
        scene.clock.advance(by: .seconds(30))
        _ = try await scene.vault.sign([1], with: "first", TestPin.right)
        #expect(try await scene.store.failures() == 0)
    }

    @Test("The last wrong PIN ends the vault's PIN by its policy, and the right one signs no more")
    func end() async throws {
        let scene = try await Scene(policy: .wallet)
        for _ in 0..<10 {
            scene.clock.advance(by: .seconds(100_000))
            await #expect(throws: WalletSigningError.self) {
                try await scene.vault.sign([1], with: "first", TestPin.wrong)
            }
        }
        scene.clock.advance(by: .seconds(100_000))
        await #expect(throws: WalletSigningError.refused(.blocked(.newCredentials))) {
            try await scene.vault.sign([1], with: "first", TestPin.right)
        }
        #expect(try await !scene.store.hasPinSlot())
    }

    @Test("Each signature is one attempt, charged before it is tested and then cleared")
    func oneAttempt() async throws {
        let store = RecordingStore(MemoryStore())
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right).createWalletKey(named: "main", kind: .ed25519)
        let written = store.written.count
        for _ in 0..<3 { _ = try await vault.sign([1], with: "main", TestPin.right) }
        let failures = try store.written.dropFirst(written).map { try JSONTree($0)["ledger", "failures"]?.number }
        #expect(failures == [1, 0, 1, 0, 1, 0])
    }

    @Test("A changed PIN signs with the same keys, and the old one does not")
    func changedPin() async throws {
        let scene = try await Scene()
        _ = try await scene.vault.changePin(TestPin.right, to: TestPin.new)
        await #expect(throws: WalletSigningError.self) {
            try await scene.vault.sign([1], with: "first", TestPin.right)
        }
        var signatures: [WalletSignature] = []
        for key in scene.keys {
            let signature = try await scene.vault.sign([1], with: key.name, TestPin.new)
            signatures.append(WalletSignature(key: key, signed: [1], signature: signature))
        }
        #expect(try WalletSignature.verdicts(of: signatures) == ["valid", "valid"])
    }

    @Test("A cancelled task signs nothing and charges nothing")
    func cancelled() async throws {
        let scene = try await Scene()
        let signing = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await scene.vault.sign([1], with: "first", TestPin.right)
        }
        signing.cancel()
        await #expect(throws: WalletSigningError.cancelled) { try await signing.value }
        #expect(try await scene.store.failures() == 0)
    }

    @Test("Without a vault nothing is signed")
    func noVault() async throws {
        await #expect(throws: WalletSigningError.noVault) {
            try await Vault.forTests(MemoryStore()).sign([1], with: "main", TestPin.right)
        }
    }

    @Test("A key that is removed during the test of the PIN signs nothing")
    func removedMeanwhile() async throws {
        let base = MemoryStore()
        let open = try await Vault.forTests(base).create(TestPin.right)
        try await open.createWalletKey(named: "main", kind: .ed25519)
        let store = RecordingStore(base)
        for call in 0..<5 {
            store.interrupt(at: call) { try? await open.removeWalletKey(named: "main") }
            await #expect(throws: WalletSigningError.noKey, "\(call)") {
                try await Vault.forTests(store).sign([1], with: "main", TestPin.right)
            }
            try await open.createWalletKey(named: "main", kind: .ed25519)
        }
    }

    @Test("If the PIN is changed during the test of the old one, the old one signs nothing")
    func pinChangedMeanwhile() async throws {
        for call in 1..<5 {
            let base = MemoryStore()
            let vault = Vault.forTests(base)
            try await vault.create(TestPin.right).createWalletKey(named: "main", kind: .ed25519)
            let store = RecordingStore(base)
            store.interrupt(at: call) { _ = try? await vault.changePin(TestPin.right, to: TestPin.new) }
            await #expect(throws: WalletSigningError.self, "\(call)") {
                try await Vault.forTests(store).sign([1], with: "main", TestPin.right)
            }
        }
    }
}
