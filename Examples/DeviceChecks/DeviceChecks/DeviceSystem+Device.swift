import Foundation
import Nightlatch
import NightlatchPlatform

extension DeviceSystem {
    /// The adapters of this device. The app and an extension of it use the same items.
    static let device = Self(
        device: .current,
        adapters: CheckedAdapters(
            store: { account, accessibility in
                KeychainStore(service: service, account: account, accessibility: accessibility)
            },
            keys: SecureEnclaveKeys(service: service),
            pinSlot: SecureEnclavePinSlot(name: "device-checks", service: service),
            keyring: { name, protection in
                SecureEnclaveBiometricKeyring(
                    vault: name, service: service, protection: protection,
                    titles: BiometricPromptTitles(pin: "", cancel: "Cancel"))
            }),
        chip: .system,
        installation: .device(service: service),
        now: { Date() },
        pause: {
            // Cancelling the task ends the wait, and the writer asks for that itself.
            try? await Task.sleep(for: .milliseconds(100))
        })

    private static let service = "com.example.nightlatch.device-checks"
}
