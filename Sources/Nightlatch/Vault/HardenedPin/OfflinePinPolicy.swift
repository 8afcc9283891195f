/// The policy for opening a vault with a hardened PIN while the hardener is unreachable.
public enum OfflinePinPolicy: Hashable, Sendable {
    /// No PIN opens the vault. An attacker with a copy of the record cannot tell a right PIN from a wrong one.
    case refused
    /// The same PIN opens the vault through the local tier, a slot that the PIN alone opens.
    ///
    /// **This gives up the hardener's protection.** An attacker with a copy of the record can try all PINs on it, as
    /// with a vault without a hardener. Each PIN costs one key derivation, so six digits take minutes. The PIN gives
    /// the attacker everything in the copy. With the possession key as well, the attacker opens the hardened slot at
    /// the first guess. Two things remain of the hardener's protection. Logins state how the vault was opened
    /// (``PinTier``), so the relying party can refuse those of the local tier. The relying party can also end both
    /// slots.
    ///
    /// - Made and changed: together with the hardened slot, in one write.
    /// - Used: only if the hardener was asked and was unreachable (``RelyingPartyError/unreachable(reason:)``). It is
    ///   not used if the hardener refuses, is busy, or sends an answer that cannot be read.
    /// - Wrong PINs: counted on the device, as for a vault without a hardener.
    /// - Ended: with the hardened slot, and when the hardener refuses the device or says that the slot's epoch is over.
    ///   The next unlock with the hardener makes another local tier.
    /// - Change of PIN: not possible after an unlock by the local tier.
    ///
    /// If the answer to a promotion was lost, the old PIN opens the vault until the hardener can be asked which of the
    /// two PINs is current.
    ///
    /// A vault that was set up without the local tier gets it at the next unlock with the hardener. If the app returns
    /// to ``refused``, the vault loses it at the next such unlock. In both cases, everything is sealed again under a
    /// new vault key and in a new epoch. An older copy still reveals the PIN, so ask the user to change it.
    case local
}

/// The parts that a PIN needs, besides its digits, to open a vault.
public enum PinTier: Hashable, Sendable {
    /// The record alone: a vault without a hardener, or one with an unreachable hardener (``OfflinePinPolicy/local``).
    case local
    /// The record and a chip of this device (``ChipPinHardener``). A relying party treats it as ``local``, because
    /// nothing proves to it that there is a chip.
    case chip
    /// The record and a relying party, which has counted the guess.
    case hardened
}
