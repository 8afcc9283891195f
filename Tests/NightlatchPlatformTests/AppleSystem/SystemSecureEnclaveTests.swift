#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security) && !os(tvOS) && !os(watchOS)
import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Keys in the system's Secure Enclave")
struct SystemSecureEnclaveTests {
    private let keychain = AppleSystem.makeKeychain()
    private let service = AppleSystem.makeService()

    private var keys: SecureEnclaveKeys {
        SecureEnclaveKeys(service: service, keychain: keychain, calls: .system)
    }

    @Test(
        "A signature verifies with the public key, also by a key that was found again",
        .enabled(if: AppleSystem.hasSecureEnclave, "needs a Secure Enclave"))
    func signature() async throws {
        let tag = KeyTag.random()
        let created = try await keys.create(tag, access: .unattended)
        let found = try #require(try await keys.find(tag, access: .unattended))
        guard case .ec(let point) = created.publicKey else { throw DeviceKeyError(.corrupt) }
        let publicKey = try P256.Signing.PublicKey(rawRepresentation: point.coordinates)
        for key in [created, found] {
            let signature = try P256.Signing.ECDSASignature(
                rawRepresentation: try await key.sign(Data("message".utf8)))
            #expect(publicKey.isValidSignature(signature, for: Data("message".utf8)))
        }
        try await keys.remove(tag)
        #expect(try await keys.find(tag, access: .unattended) == nil)
    }

    @Test(
        "The keys pass every device key conformance check",
        .enabled(if: AppleSystem.hasApplicationPasswords, "needs a Secure Enclave with application passwords"),
        arguments: DeviceKeysConformance.allCases)
    func conformance(promise: DeviceKeysConformance) async throws {
        try await promise.check { keys }
    }

    @Test(
        "A PIN slot opens with its PIN, and another PIN is reported as wrong",
        .enabled(if: AppleSystem.hasApplicationPasswords, "needs a Secure Enclave with application passwords"))
    func pinSlot() async throws {
        let slot = SecureEnclavePinSlot(name: "vault", service: service, keychain: keychain, calls: .system)
        func pin(_ byte: UInt8) -> SecretBytes { SecretBytes(copying: Array(repeating: byte, count: 32)) }

        try await slot.seal(SecretBytes(copying: [1, 2, 3]), under: pin(1))
        let isSame = try await slot.open(with: pin(1)).isEqual(to: SecretBytes(copying: [1, 2, 3]))
        #expect(isSame)
        await #expect(throws: SecureEnclavePinSlotError.wrongPin) {
            _ = try await slot.open(with: pin(2)).byteCount
        }
        try await slot.remove()
        await #expect(throws: SecureEnclavePinSlotError.absent) { _ = try await slot.open(with: pin(1)).byteCount }
    }

    @Test(
        "A vault with its PIN in the chip opens with the PIN, and counts a wrong one",
        .enabled(if: AppleSystem.hasApplicationPasswords, "needs a Secure Enclave with application passwords"))
    func vault() async throws {
        let hardener = ChipPinHardener.secureEnclave(
            name: "vault", service: service, keychain: keychain, calls: .system)
        let vault = Vault(
            store: KeychainStore(service: service, account: "vault", calls: keychain), clock: SystemLockoutClock(),
            hardener: hardener,
            configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests))
        func pin(_ digits: String) throws -> Pin { try Pin(digits: SecretBytes(copying: Array(digits.utf8))) }

        #expect(await (try vault.create(with: try pin("482915"))).pinTier == .chip)
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            _ = try await vault.unlock(with: try pin("482916"))
        }
        _ = try await vault.unlock(with: try pin("482915"))
        try await vault.erase()
        try await hardener.remove()
    }
}
#endif
