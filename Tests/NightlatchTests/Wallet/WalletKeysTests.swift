import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Wallet keys")
struct WalletKeysTests {
    @Test("Keys are made, listed by name with their public keys, and removed", arguments: StoreKind.allCases)
    func keys(kind: StoreKind) async throws {
        let place = kind.make()
        let vault = Vault.forTests(place.store)
        let open = try await vault.create(TestPin.right)
        #expect(try await open.walletKeys() == [])
        let second = try await open.createWalletKey(named: "second", kind: .p256)
        let first = try await open.createWalletKey(named: "first", kind: .ed25519)
        #expect((first.name, first.kind, first.bytes.count) == ("first", .ed25519, 32))
        #expect((second.name, second.kind, second.bytes.count) == ("second", .p256, 65))
        #expect(try await vault.unlock(TestPin.right).walletKeys() == [first, second])
        try await open.removeWalletKey(named: "first")
        try await open.removeWalletKey(named: "unknown")
        #expect(try await open.walletKeys() == [second])
        await #expect(throws: WalletSigningError.noKey) { try await vault.sign([1], with: "first", TestPin.right) }
    }

    @Test("An imported private key gives its public key", arguments: KnownWalletKey.all)
    func importKey(known: KnownWalletKey) async throws {
        let open = try await Vault.forTests(MemoryStore()).create(TestPin.right)
        let key = try await open.importWalletKey(known.privateKey, named: "known", kind: known.kind)
        #expect(Hex.encode(key.bytes) == known.publicKey)
        #expect(try await open.walletKeys() == [key])
    }

    @Test("Every new key is different")
    func random() async throws {
        let open = try await Vault.forTests(MemoryStore()).create(TestPin.right)
        var keys: Set<[UInt8]> = []
        for number in 0..<20 {
            for kind in WalletKeyKind.allCases {
                let name = WalletKeyName(unchecked: "\(kind.rawValue)-\(number)")
                keys.insert(try await open.createWalletKey(named: name, kind: kind).bytes)
            }
        }
        #expect(keys.count == 40)
    }

    @Test("A name in use is refused, and its key stays", arguments: WalletKeyKind.allCases)
    func exists(kind: WalletKeyKind) async throws {
        let store = MemoryStore()
        let open = try await Vault.forTests(store).create(TestPin.right)
        let key = try await open.createWalletKey(named: "main", kind: .ed25519)
        let before = try await store.read()
        await #expect(throws: WalletKeyError.exists) { try await open.createWalletKey(named: "main", kind: kind) }
        await #expect(throws: WalletKeyError.exists) {
            try await open.importWalletKey(String(repeating: "01", count: 32), named: "main", kind: kind)
        }
        #expect(try await store.read() == before)
        #expect(try await open.walletKeys() == [key])
    }

    @Test("If many keys are made with one name at the same time, exactly one exists, and it is the returned one")
    func createdAtOnce() async throws {
        let store = MemoryStore()
        let opened = [
            try await Vault.forTests(store).create(TestPin.right),
            try await Vault.forTests(store).unlock(TestPin.right),
        ]
        let promised = await withTaskGroup(of: WalletPublicKey?.self) { group in
            for number in 0..<40 {
                group.addTask {
                    do throws(WalletKeyError) {
                        return try await opened[number % 2].createWalletKey(named: "main", kind: .ed25519)
                    } catch {
                        #expect(error == .exists)
                        return nil
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(promised.count == 1)
        #expect(try await opened[0].walletKeys() == promised)
    }

    @Test("Bytes that are not a private key of the kind are refused, and nothing is written", arguments: Self.noKeys)
    func noPrivateKey(kind: WalletKeyKind, bytes: String) async throws {
        let store = MemoryStore()
        let open = try await Vault.forTests(store).create(TestPin.right)
        let before = try await store.read()
        await #expect(throws: WalletKeyError.notAPrivateKey) {
            try await open.importWalletKey(bytes, named: "main", kind: kind)
        }
        #expect(try await store.read() == before)
    }

    private static let noKeys: [(WalletKeyKind, String)] =
        WalletKeyKind.allCases.flatMap { kind in
            ["", "01", String(repeating: "01", count: 31), String(repeating: "01", count: 33)].map { (kind, $0) }
        } + [
            (.p256, String(repeating: "00", count: 32)),
            (.p256, "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),
            (.p256, "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552"),
            (.p256, String(repeating: "ff", count: 32)),
        ]

    @Test("The smallest and the greatest private key of P-256 are keys, and any 32 bytes are one of Ed25519")
    func extremes() async throws {
        let open = try await Vault.forTests(MemoryStore()).create(TestPin.right)
        let keys: [(WalletKeyKind, String)] = [
            (.p256, String(repeating: "00", count: 31) + "01"),
            (.p256, "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550"),
            (.ed25519, String(repeating: "00", count: 32)), (.ed25519, String(repeating: "ff", count: 32)),
        ]
        for (number, (kind, bytes)) in keys.enumerated() {
            try await open.importWalletKey(bytes, named: WalletKeyName(unchecked: "key-\(number)"), kind: kind)
        }
        #expect(try await open.walletKeys().count == 4)
    }

    @Test("A locked vault, and one whose PIN was changed, make no key and list none")
    func lockedAndSuperseded() async throws {
        let vault = Vault.forTests(MemoryStore())
        let (locked, superseded) = (try await vault.create(TestPin.right), try await vault.unlock(TestPin.right))
        await locked.lock()
        _ = try await vault.changePin(TestPin.right, to: TestPin.new)
        for (open, error) in [(locked, VaultError.locked), (superseded, .superseded)] {
            await #expect(throws: WalletKeyError.vault(error)) {
                try await open.createWalletKey(named: "main", kind: .p256)
            }
            await #expect(throws: error) { try await open.walletKeys() }
            await #expect(throws: error) { try await open.removeWalletKey(named: "main") }
        }
    }

    @Test("The record contains the names of wallet keys, and nothing of the keys")
    func sealed() async throws {
        let store = MemoryStore()
        let open = try await Vault.forTests(store).create(TestPin.right)
        for known in KnownWalletKey.all {
            try await open.importWalletKey(known.privateKey, named: known.name, kind: known.kind)
        }
        let record = try #require(try await store.read()).bytes
        let text = String(decoding: record, as: UTF8.self)
        for known in KnownWalletKey.all {
            #expect(text.contains("nightlatch.wallet.\(known.name)"))
            for bytes in [Hex.decode(known.privateKey), Hex.decode(known.publicKey)] {
                #expect(!text.contains(Hex.encode(bytes)))
                // Base64 of the bytes at each of the three alignments.
                for start in 0..<3 {
                    let piece = Array(bytes.dropFirst(start).prefix(12))
                    #expect(!text.contains(Base64URL.encode(piece)))
                }
            }
        }
    }
}
