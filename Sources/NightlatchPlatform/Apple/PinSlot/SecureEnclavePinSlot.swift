public import Nightlatch

/// A secret that takes the PIN and the Secure Enclave of this device to get at. A copy of all files and of the Keychain says nothing about
/// the PIN; whoever has the device unlocked, and this app's place on it, must ask the chip for each PIN that they try. For a vault there is
/// `ChipPinHardener.secureEnclave`, which rests on the same.
///
/// The secret is sealed under the stretched PIN, and what comes of that is sealed to a key of the chip whose application password is
/// derived from the stretched PIN as well. So even a chip that was broken gives out no more than what stretching protects.
///
/// The chip is not known to count wrong passwords. How many PINs may be tried is for whoever uses the slot to count, before they are
/// tried. A former PIN opens a former copy of the record, on the same device.
public struct SecureEnclavePinSlot: Sendable {
    /// How many bytes a slot takes.
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

    /// Seals `secret` under a PIN, in the place of what was sealed before. It is durable when this returns.
    ///
    /// - Parameters:
    ///   - secret: From 1 to 128 bytes.
    ///   - stretchedPin: What a key derivation function has made of the PIN; at least 16 bytes make sense.
    /// - Throws: ``SecureEnclavePinSlotError``; what was sealed before is untouched, save that after an error of the store but a conflict the
    ///   new record may be there.
    public func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes
    ) async throws(SecureEnclavePinSlotError) {
        try await slot.seal(secret, under: stretchedPin)
    }

    /// Has the chip try a PIN, and opens the secret. It counts nothing.
    ///
    /// - Throws: ``SecureEnclavePinSlotError``, with ``SecureEnclavePinSlotError/wrongPin`` where the chip refuses what the PIN became.
    public func open(with stretchedPin: borrowing SecretBytes) async throws(SecureEnclavePinSlotError) -> SecretBytes {
        try await slot.open(with: stretchedPin)
    }

    /// Removes the slot, if there is one. Copies of its record open with their PIN as before, on this device.
    public func remove() async throws(SecureEnclavePinSlotError) {
        try await slot.remove()
    }
}

#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security) && !os(tvOS) && !os(watchOS)
extension SecureEnclavePinSlot {
    /// - Parameters:
    ///   - name: The slot's own name, such as that of the vault that it is for; not empty.
    ///   - service: The app's own name for its items in the Keychain.
    ///   - accessGroup: As of ``KeychainStore``.
    public init(name: String, service: String, accessGroup: String? = nil) {
        self.init(name: name, service: service, accessGroup: accessGroup, keychain: .system, calls: .system)
    }
}
#endif
