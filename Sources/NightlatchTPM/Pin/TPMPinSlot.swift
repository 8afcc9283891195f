public import Nightlatch

/// A secret that the TPM releases only for the right PIN. The TPM itself counts wrong PINs.
///
/// A thief gets no more attempts from an old copy of the files or from another machine. For a vault use
/// `ChipPinHardener.tpm`, which works the same way.
///
/// The secret's authorisation is derived from the stretched PIN. The PIN itself never reaches the TPM, only a value
/// derived from the stretched PIN.
///
/// The protection has these limits:
/// - The count, its limit and the time after which it is forgotten belong to the whole machine, so other programs'
///   failures count too.
/// - A right PIN does not reset the count.
/// - Anyone with the password of the TPM's lockout hierarchy can reset the count or change the limits.
/// - After a loss of power the TPM may count one more wrong PIN.
/// - A former PIN opens a former copy of the record: see `docs/threat-model.md`.
public struct TPMPinSlot: Sendable {
    /// The size of a secret, in bytes.
    public static let secretByteCounts = PinSlotSecret.byteCounts

    private let slot: StoredPinSlot<TPMPinChip>

    /// Creates a slot in a store.
    ///
    /// - Parameters:
    ///   - name: The slot's own name, not empty. Its record does not open in a slot with another name.
    ///   - tpm: The TPM that seals the secret.
    ///   - store: The store of the sealed secret.
    ///   - countProtection: The protection of the TPM's count against resets that is required to seal a secret.
    public init(
        name: String,
        tpm: TPM = TPM(),
        store: any SecureStore,
        countProtection: TPMCountProtection = .lockoutPassword
    ) {
        slot = StoredPinSlot(
            name: name, chip: TPMPinChip(tpm: tpm, countProtection: countProtection), store: store)
    }

    /// Seals `secret` under a PIN, and replaces an earlier secret. It is durable when this returns.
    ///
    /// - Parameters:
    ///   - secret: From 1 to 128 bytes.
    ///   - stretchedPin: The PIN after a key derivation function; use at least 16 bytes.
    /// - Throws: ``TPMPinSlotError``. The earlier secret is untouched, except after an error of the store other than a
    ///   conflict: then the new record may exist.
    public func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes
    ) async throws(TPMPinSlotError) {
        try await slot.seal(secret, under: stretchedPin)
    }

    /// Asks the TPM to try a PIN.
    ///
    /// - Throws: ``TPMPinSlotError``, with ``TPMPinSlotError/wrongPin(_:)`` for a wrong PIN, which was counted, and
    ///   ``TPMPinSlotError/lockedOut(_:)`` for a PIN that was not tried.
    public func open(with stretchedPin: borrowing SecretBytes) async throws(TPMPinSlotError) -> SecretBytes {
        try await slot.open(with: stretchedPin)
    }

    /// Removes the slot, if there is one. Copies of its record still open with their PIN.
    public func remove() async throws(TPMPinSlotError) {
        try await slot.remove()
    }
}
