extension ProfileEntry {
    /// Records the length of a PIN that was set by a registration or a completed change.
    mutating func pinIsSet(length: Int) {
        pinLength = length
        isPinChanging = false
    }

    /// Records that the PIN is about to be changed.
    ///
    /// Until it is known which PIN the profile has, no length is remembered. A pad that submits automatically after too
    /// few digits would lock the user out.
    mutating func pinIsChanging(to length: Int) {
        guard let pinLength, pinLength != length else { return }
        self.pinLength = nil
        isPinChanging = true
    }

    /// Records that a PIN of this length has opened the vault, perhaps some time ago.
    ///
    /// After an interrupted change the length is stored. Otherwise no length is added. If the entry has another length,
    /// the PIN was changed before or after the unlock. Then the length is unknown and is removed, so no pad submits
    /// automatically.
    mutating func pinHasOpened(length: Int) {
        if isPinChanging {
            pinIsSet(length: length)
        } else if let pinLength, pinLength != length {
            self.pinLength = nil
        }
    }
}
