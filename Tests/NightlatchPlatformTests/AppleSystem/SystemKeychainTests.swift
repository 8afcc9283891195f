#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security) && !os(tvOS) && !os(watchOS)
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite(
    "Keychain store in the system's Keychain",
    .enabled(if: AppleSystem.hasKeychain, "needs an app with the entitlement for the Keychain"))
struct SystemKeychainTests {
    private let service = AppleSystem.makeService()

    private var store: KeychainStore { KeychainStore(service: service, account: "vault") }

    @Test("The store passes every store conformance check", arguments: SecureStoreConformance.allCases)
    func conformance(promise: SecureStoreConformance) async throws {
        try await promise.check { store }
        try await store.erase()
    }

    @Test("A vault opens with its PIN, and another instance counts the wrong one")
    func vault() async throws {
        func vault() -> Vault {
            Vault(
                store: store, clock: SystemLockoutClock(),
                configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
        }
        func pin(_ digits: String) throws -> Pin { try Pin(digits: SecretBytes(copying: Array(digits.utf8))) }

        _ = try await vault().create(with: try pin("482915"))
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            _ = try await vault().unlock(with: try pin("482916"))
        }
        #expect(try await vault().state() == .ready(triesLeft: 9))
        _ = try await vault().unlock(with: try pin("482915"))
        try await vault().erase()
        #expect(try await store.read() == nil)
    }
}
#endif
