public import Nightlatch

/// A secret that opens only with the PIN and with this device's Secure Enclave.
///
/// A copy of all files and of the Keychain reveals nothing about the PIN. An attacker with the unlocked device, who
/// runs code as this app, must ask the chip for each PIN. For a vault, use `ChipPinHardener.secureEnclave`, which works
/// the same way.
///
/// The secret is sealed twice: under the stretched PIN, and then to a key of the chip. That key's application password
/// is derived from the stretched PIN too. So even if the chip is broken, an attacker must stretch each PIN to test it.
///
/// The chip is not known to count wrong passwords. The code that uses the slot must charge each attempt before it is
/// tested. An old PIN opens an old copy of the record, on the same device.
public struct SecureEnclavePinSlot: Sendable {
    /// The allowed sizes of a secret, in bytes.
    public static let secretByteCounts = PinSlotSecret.byteCounts

    private let slot: StoredPinSlot<SecureEnclavePinChip>

    package init(
        name: String,
        service: String,
        accessGroup: String? = nil,
        keychain: KeychainCalls,
        calls: EnclaveCalls
    ) {
        let store = KeychainStore(
            service: service, account: "pin-slot.\(name)", accessGroup: accessGroup, calls: keychain)
        slot = StoredPinSlot(name: name, chip: SecureEnclavePinChip(calls: calls), store: store)
    }

    /// Seals `secret` under a PIN and replaces the earlier secret. The new one is on the disk when this returns.
    ///
    /// - Parameters:
    ///   - secret: From 1 to 128 bytes.
    ///   - stretchedPin: The PIN after a key derivation function, at least 16 bytes.
    /// - Throws: ``SecureEnclavePinSlotError``. The earlier secret remains, except after a store error other than a
    ///   conflict: then either secret may be stored.
    public func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes
    ) async throws(SecureEnclavePinSlotError) {
        try await slot.seal(secret, under: stretchedPin)
    }

    /// Tests a PIN with the chip and opens the secret. It counts no attempts.
    ///
    /// - Throws: ``SecureEnclavePinSlotError``. It is ``SecureEnclavePinSlotError/wrongPin`` if the chip refuses the
    ///   PIN.
    public func open(with stretchedPin: borrowing SecretBytes) async throws(SecureEnclavePinSlotError) -> SecretBytes {
        try await slot.open(with: stretchedPin)
    }

    /// Removes the slot, if there is one. On this device, copies of its record still open with their PIN.
    public func remove() async throws(SecureEnclavePinSlotError) {
        try await slot.remove()
    }
}

#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security) && !os(tvOS) && !os(watchOS)
extension SecureEnclavePinSlot {
    /// Creates a slot.
    ///
    /// - Parameters:
    ///   - name: The slot's name, such as that of its vault. Not empty.
    ///   - service: The app's name for its items in the Keychain.
    ///   - accessGroup: The access group, as for ``KeychainStore``.
    public init(name: String, service: String, accessGroup: String? = nil) {
        self.init(name: name, service: service, accessGroup: accessGroup, keychain: .system, calls: .system)
    }
}
#endif
