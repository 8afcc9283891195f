import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire

extension Bank {
    /// The name of the app's items in the Keychain.
    private nonisolated static let keychainService = "com.example.NightlatchExample"

    /// Records in the Keychain, keys in the Secure Enclave, and the server that Info.plist names. Returns nil if
    /// Info.plist names no valid server.
    static func onThisDevice() -> Bank? {
        guard let address = Bundle.main.object(forInfoDictionaryKey: "NightlatchIssuer") as? String,
            let issuer = Issuer(rawValue: address)
        else { return nil }
        let profiles = Profiles(
            registry: KeychainStore(service: keychainService, account: "profiles"),
            deviceKeys: SecureEnclaveKeys(service: keychainService), remembersPinLengths: true, vault: vault(of:))
        // Keychain items outlive the app. Those of an earlier installation are erased.
        let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        let marker = folder.appending(path: "nightlatch-installation")
        let leftovers = KeychainLeftovers(markerPath: marker.path(percentEncoded: false), service: keychainService)
        return Bank(profiles: profiles, server: HTTPRelyingParty(issuer: issuer)) {
            _ = try await leftovers.settle(.erase)
        }
    }

    private nonisolated static func vault(of profile: Profile) -> Vault {
        let name = "vault.\(profile.id.rawValue)"
        return Vault(
            store: KeychainStore(service: keychainService, account: name),
            clock: SystemLockoutClock(),
            biometrics: SecureEnclaveBiometricKeyring(
                vault: name, service: keychainService, titles: BiometricPromptTitles(pin: "Enter PIN")),
            // After ten wrong PINs only the recovery phrase opens the vault. A bank under PSD2 takes `.payment`. Then
            // the phrase needs full credentials too (`RecoveryError.credentialsNeeded`): add a screen that asks for
            // them.
            configuration: VaultConfiguration(lockoutPolicy: .wallet))
    }
}
