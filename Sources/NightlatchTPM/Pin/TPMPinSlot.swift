public import Nightlatch

/// A secret that the TPM gives out for the right PIN alone, and whose wrong PINs the TPM counts itself: neither an old copy of the files nor
/// another machine gives a thief more tries. For a vault there is `ChipPinHardener.tpm`, which rests on the same.
///
/// What authorises the secret is derived from the stretched PIN; the PIN itself never reaches the TPM, nor does anything that was not
/// stretched. The count, its limit and how fast it is forgotten belong to the whole machine: other programs' failures count too, a right
/// PIN does not take the count back, and who knows the password of the TPM's lockout hierarchy can reset it or change the limits.
/// After a loss of power the TPM may count one more. A former PIN opens a former copy of the record: `docs/threat-model.md`.
public struct TPMPinSlot: Sendable {
    /// How many bytes a slot takes.
    public static let secretByteCounts = PinSlotSecret.byteCounts

    private let slot: StoredPinSlot<TPMPinChip>

    /// - Parameters:
    ///   - name: The slot's own name, not empty: its record opens in no slot of another name.
    ///   - tpm: The TPM that seals the secret.
    ///   - store: Where the sealed secret is kept.
    ///   - countProtection: What must keep others from resetting the TPM's count, for a secret to be sealed.
    public init(
        name: String,
        tpm: TPM = TPM(),
        store: any SecureStore,
        countProtection: TPMCountProtection = .lockoutPassword
    ) {
        slot = StoredPinSlot(
            name: name, chip: TPMPinChip(tpm: tpm, countProtection: countProtection), store: store)
    }

    /// Seals `secret` under a PIN, in the place of what was sealed before. It is durable when this returns.
    ///
    /// - Parameters:
    ///   - secret: From 1 to 128 bytes.
    ///   - stretchedPin: What a key derivation function has made of the PIN; at least 16 bytes make sense.
    /// - Throws: ``TPMPinSlotError``; what was sealed before is untouched, save that after an error of the store but a conflict the new
    ///   record may be there.
    public func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes
    ) async throws(TPMPinSlotError) {
        try await slot.seal(secret, under: stretchedPin)
    }

    /// Has the TPM try a PIN.
    ///
    /// - Throws: ``TPMPinSlotError``, with ``TPMPinSlotError/wrongPin(_:)`` for a PIN that was counted, and
    ///   ``TPMPinSlotError/lockedOut(_:)`` for one that was not even tried.
    public func open(with stretchedPin: borrowing SecretBytes) async throws(TPMPinSlotError) -> SecretBytes {
        try await slot.open(with: stretchedPin)
    }

    /// Removes the slot, if there is one. Copies of its record open with their PIN as before.
    public func remove() async throws(TPMPinSlotError) {
        try await slot.remove()
    }
}
