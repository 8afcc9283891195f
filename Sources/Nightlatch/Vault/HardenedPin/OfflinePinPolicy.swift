/// What opens a vault whose PIN a hardener has a part in, while the hardener is out of reach.
public enum OfflinePinPolicy: Hashable, Sendable {
    /// No PIN does. Nobody who has a copy of the record can tell a right PIN from a wrong one.
    case refused
    /// The same PIN does, by a slot of its own that the PIN alone opens: the local tier.
    ///
    /// **It gives up what a hardener is for.** Whoever has a copy of the record can search it for the PIN as he can that of a vault without
    /// a hardener, at the price of one key derivation for each PIN: minutes, for six digits. With the PIN he has what is in the copy, and
    /// with the possession key as well he opens the hardened slot at the first guess. What is left of the hardener's part is that logins say how
    /// the vault was opened (``PinTier``), so that the relying party can refuse those of the local tier, and that it can end both.
    ///
    /// The local tier is made and changed together with the hardened slot, in one write. It opens the vault only if the hardener was asked and
    /// could not be reached (``RelyingPartyError/unreachable(reason:)``): not if it refuses, has no time, or answers what cannot be read. Wrong
    /// PINs are counted on the device as those of a vault without a hardener are. It ends with the hardened slot, and when the hardener
    /// refuses the device or says that the slot's epoch is over; then the next unlock that the hardener has a part in makes another. It
    /// changes no PIN.
    ///
    /// Where a promotion's answer was lost, the PIN before opens the vault until the hardener can be asked which of the two is the vault's.
    ///
    /// A vault that was set up without it gets it at the next unlock that the hardener has a part in, and loses it at the next one after the
    /// app has gone back to ``refused``; either way everything is sealed anew, under a new vault key and in a new epoch. A copy from
    /// before tells the PIN still: have it changed.
    case local
}

/// What a PIN that opens a vault hangs on.
public enum PinTier: Hashable, Sendable {
    /// The record alone: a vault without a hardener, or one that was out of reach (``OfflinePinPolicy/local``).
    case local
    /// The record and a chip of this device (``ChipPinHardener``). To a relying party it is as ``local``: nothing shows it that there is one.
    case chip
    /// The record and a relying party, which has counted the guess.
    case hardened
}
