import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Reserved names")
struct ReservedNameTests {
    @Test(
        "An app can neither read, write nor remove the library's own secrets in a vault",
        arguments: [
            "nightlatch.refresh-token", "nightlatch.device-key-password", "nightlatch.wallet.main", "nightlatch.",
        ])
    func reserved(text: String) async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        let open = try await vault.create(TestPin.right)
        try await open.createWalletKey(named: "main", kind: .p256)
        try await open.set("seed", named: "wallet")
        let name = try #require(SecretName(rawValue: text))
        let before = try await store.read()
        await #expect(throws: VaultError.reservedName) { _ = try await open.secret(named: name) != nil }
        await #expect(throws: VaultError.reservedName) {
            try await open.set(SecretBytes(copying: [1]), named: name)
        }
        await #expect(throws: VaultError.reservedName) { try await open.remove(["wallet", name]) }
        #expect(try await store.read() == before)
        #expect(try await open.names().map(\.rawValue) == ["nightlatch.wallet.main", "wallet"])
        #expect(try await open.walletKeys().count == 1)
    }
}
