import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// A wallet key is never a device key, and no secret of a binding is ever a wallet key.
@Suite("Separation of wallet keys and the device's binding")
struct WalletSeparationTests {
    /// Names as near to the binding's as a wallet key can have.
    private static let names: [WalletKeyName] = [
        "device-binding", "device-key-password", "refresh-token", "nightlatch.device-binding", "wallet.refresh-token",
    ]

    @Test(
        "Wallet keys with the names of the binding's secrets coexist with them, in either order",
        arguments: [true, false])
    func sameNames(walletFirst: Bool) async throws {
        let phone = try await TestPhone()
        func createKeys() async throws {
            for name in Self.names { try await phone.open.createWalletKey(named: name, kind: .p256) }
        }
        if walletFirst { try await createKeys() }
        try await phone.bind(await phone.relyingParty.issueCode())
        if !walletFirst { try await createKeys() }
        _ = try await phone.login.logIn(phone.open)
        #expect(try await Set(phone.open.walletKeys().map(\.name)) == Set(Self.names))
        let device = try #require(await phone.relyingParty.devices.values.first)
        for key in try await phone.open.walletKeys() {
            guard case .ec(let point) = device.key else { continue }
            #expect(Array(key.bytes.dropFirst()) != point.coordinates)
        }
        #expect(try await phone.keyCount() == 2)
    }

    @Test("Forgetting a binding leaves the wallet keys, and removing wallet keys leaves the binding")
    func removal() async throws {
        let phone = try await TestPhone.bound()
        let binding = try #require(try await phone.open.deviceBinding())
        for name in Self.names { try await phone.open.createWalletKey(named: name, kind: .ed25519) }
        let kept = try await phone.open.createWalletKey(named: "kept", kind: .ed25519)
        for name in Self.names { try await phone.open.removeWalletKey(named: name) }
        #expect(try await phone.open.deviceBinding() == binding)
        _ = try await phone.login.logIn(phone.open)
        try await phone.binder.forget(binding, in: phone.open)
        #expect(try await phone.open.walletKeys() == [kept])
        _ = try await phone.vault.sign([1], with: "kept", TestPin.right)
    }

    @Test("A wallet key's signature never logs in, not even over the exact bytes of a login")
    func login() async throws {
        let phone = try await TestPhone.bound()
        let key = try await phone.open.createWalletKey(named: "main", kind: .p256)
        _ = try await phone.login.logIn(phone.open)
        let (message, proof) = (
            try #require(await phone.relyingParty.logins.first), try #require(await phone.relyingParty.proofs.first)
        )
        let signature = try await phone.vault.sign(message.signingInput, with: "main", TestPin.right)
        // The signature is valid, but its key was never bound.
        let forged = try CompactJWS(
            message.text.split(separator: ".").dropLast().joined(separator: ".") + "." + Base64URL.encode(signature))
        let point = try #require(ECPublicJWK(coordinates: Array(key.bytes.dropFirst())))
        #expect(isSigned(forged, by: .ec(point)))
        let device = try #require(await phone.relyingParty.devices.values.first?.result)
        let challenge = try await phone.relyingParty.beginLogin(LoginRequest(user: device.user, device: device.device))
        await #expect(throws: ScriptedRelyingParty.refusal(.messageRefused)) {
            try await phone.relyingParty.tokens(
                .login(assertion: forged.text, handle: challenge.handle), proof: proof.text)
        }
    }

    @Test("The secrets of an app and of a binding are not wallet keys, and cannot sign")
    func otherSecrets() async throws {
        let phone = try await TestPhone.bound()
        _ = try await phone.login.logIn(phone.open)
        // 33 bytes that would be a key, under names that no wallet key has.
        let bytes = SecretBytes(copying: [1] + Array(repeating: 7, count: 32))
        for name: SecretName in ["main", "wallet.main", "nightlatch.wallet", "nightlatch.wallets.main"] {
            try await phone.open.setAny(bytes, named: name)
        }
        #expect(try await phone.open.walletKeys() == [])
        for name: WalletKeyName in ["main", "device-key-password", "device-binding", "refresh-token"] {
            await #expect(throws: WalletSigningError.noKey) {
                try await phone.vault.sign([1], with: name, TestPin.right)
            }
        }
    }

    @Test("A device key's password that was moved to a wallet key's name is detected")
    func movedBox() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        let open = try await vault.create(TestPin.right)
        try await open.set(String(repeating: "k", count: 33), named: "nightlatch.device-key-password")
        try await open.createWalletKey(named: "main", kind: .ed25519)
        let stored = try #require(try await store.read())
        var tree = try JSONTree(stored)
        let items = ["sealed", "content", "items"]
        tree[(items + ["nightlatch.wallet.main"])[...]] = tree[(items + ["nightlatch.device-key-password"])[...]]
        store.plant(StoredRecord(revision: stored.revision, bytes: tree.bytes))
        await #expect(throws: VaultError.corrupt) { try await open.walletKeys() }
        await #expect(throws: WalletSigningError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await vault.sign([1], with: "main", TestPin.right)
        }
    }

    @Test(
        "A malformed value at a wallet key's name is damage, not absence",
        arguments: [
            [], [1], [1] + Array(repeating: 1, count: 31), [1] + Array(repeating: 1, count: 33),
            [0] + Array(repeating: 1, count: 32), [3] + Array(repeating: 1, count: 32),
            [2] + Array(repeating: 0, count: 32), Array(repeating: 1, count: 32),
        ])
    func damaged(bytes: [UInt8]) async throws {
        let vault = Vault.forTests(MemoryStore())
        let open = try await vault.create(TestPin.right)
        try await open.setAny(SecretBytes(copying: bytes), named: "nightlatch.wallet.main")
        await #expect(throws: VaultError.corrupt) { try await open.walletKeys() }
        await #expect(throws: WalletSigningError.vault(.corrupt)) {
            try await vault.sign([1], with: "main", TestPin.right)
        }
        // It can be removed, and another key made.
        try await open.removeWalletKey(named: "main")
        try await open.createWalletKey(named: "main", kind: .ed25519)
    }

    @Test(
        "Names are 1 to 40 lower-case letters, digits and . _ -",
        arguments: [
            ("a", true), (String(repeating: "a", count: 40), true), ("account-1_x.old", true), ("", false),
            (String(repeating: "a", count: 41), false), ("Main", false), ("a b", false), ("ä", false), ("a/b", false),
        ])
    func names(text: String, isName: Bool) async throws {
        let name = WalletKeyName(rawValue: text)
        #expect((name != nil) == isName)
        guard let name else { return }
        let open = try await Vault.forTests(MemoryStore()).create(TestPin.right)
        let key = try await open.createWalletKey(named: name, kind: .ed25519)
        #expect(try await open.walletKeys() == [key])
        #expect(try await open.names().map(\.rawValue) == ["nightlatch.wallet.\(text)"])
    }
}
