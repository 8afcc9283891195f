#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security) && !os(tvOS) && !os(watchOS)
import Foundation
import Nightlatch
import NightlatchPlatform

/// Which parts of Apple's frameworks this process can use. The suites of this folder skip what it cannot use.
///
/// Only an app has an entitlement for the Keychain, so the tests of a package run without it. Some virtual machines and
/// simulators have no Secure Enclave, or one without application passwords.
enum AppleSystem {
    static let hasKeychain: Bool = {
        let item: KeychainDictionary = [
            .class: .constant(.classGenericPassword),
            .attrService: .text("nightlatch.tests"),
            .attrAccount: .text(UUID().uuidString),
            .useDataProtectionKeychain: .flag(true),
        ]
        let status = KeychainCalls.system.add(item.merging([.valueData: .bytes([1])]) { _, new in new })
        _ = KeychainCalls.system.delete(item)
        return status == .success
    }()

    static let hasSecureEnclave = makesKey(with: .unattended)
    static let hasApplicationPasswords = makesKey(
        with: .applicationPassword(SecretBytes(copying: Array(repeating: 7, count: 32))))

    /// The system's Keychain, or a new model of it, for tests of the Secure Enclave.
    static func makeKeychain() -> KeychainCalls { hasKeychain ? .system : KeychainModel().calls }

    /// A name for items of the Keychain that no other test uses.
    static func makeService() -> String { "nightlatch.tests.\(UUID().uuidString)" }

    private static func makesKey(with access: borrowing KeyAccess) -> Bool {
        guard EnclaveCalls.system.isAvailable() else { return false }
        do throws(AppleFailure) {
            _ = try EnclaveCalls.system.makeSigningKey(.silent(access), .silent, access)
            return true
        } catch {
            return false
        }
    }
}
#endif
