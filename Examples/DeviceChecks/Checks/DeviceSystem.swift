public import Foundation
public import Nightlatch
public import NightlatchPlatform

/// The adapters under test and the calls below them. The app passes those of the device; tests pass models.
public struct DeviceSystem: Sendable {
    let device: DeviceDescription
    let adapters: CheckedAdapters
    let chip: ChipProbe
    let installation: InstallationProbe
    let now: @Sendable () -> Date
    let pause: @Sendable () async -> Void

    /// - Parameters:
    ///   - device: The device, as the report names it.
    ///   - adapters: The package's adapters.
    ///   - chip: Calls into the frameworks below the public API.
    ///   - installation: The marker files of this installation.
    ///   - now: Returns the time.
    ///   - pause: Waits for a moment, before another process is looked for again.
    public init(
        device: DeviceDescription,
        adapters: CheckedAdapters,
        chip: ChipProbe,
        installation: InstallationProbe,
        now: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable () async -> Void
    ) {
        self.device = device
        self.adapters = adapters
        self.chip = chip
        self.installation = installation
        self.now = now
        self.pause = pause
    }
}

/// The package's adapters, all of one Keychain service.
public struct CheckedAdapters: Sendable {
    let store: @Sendable (String, KeychainStore.Accessibility) -> any SecureStore
    let keys: any DeviceKeys
    let pinSlot: any CheckedPinSlot
    let keyring: @Sendable (String, BiometricProtection) -> any BiometricKeyring

    /// - Parameters:
    ///   - store: Returns a store for the item with this account. Two stores of one account are two connections.
    ///   - keys: The signing keys of the chip.
    ///   - pinSlot: The PIN slot in the chip.
    ///   - keyring: Returns the keyring with this name.
    public init(
        store: @escaping @Sendable (String, KeychainStore.Accessibility) -> any SecureStore,
        keys: any DeviceKeys,
        pinSlot: any CheckedPinSlot,
        keyring: @escaping @Sendable (String, BiometricProtection) -> any BiometricKeyring
    ) {
        self.store = store
        self.keys = keys
        self.pinSlot = pinSlot
        self.keyring = keyring
    }
}

/// The functions of `SecureEnclavePinSlot` that are checked.
public protocol CheckedPinSlot: Sendable {
    func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes
    ) async throws(SecureEnclavePinSlotError)
    func open(with stretchedPin: borrowing SecretBytes) async throws(SecureEnclavePinSlotError) -> SecretBytes
    func remove() async throws(SecureEnclavePinSlotError)
}

extension SecureEnclavePinSlot: CheckedPinSlot {}
