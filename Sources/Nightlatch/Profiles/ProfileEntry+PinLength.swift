extension ProfileEntry {
    /// The profile's PIN is set, by a registration or a change that has succeeded.
    mutating func pinIsSet(length: Int) {
        pinLength = length
        isPinChanging = false
    }

    /// The PIN is about to be changed. Until it is known which PIN the profile has, neither length is: a pad that submits by itself after
    /// too few digits would lock the person out.
    mutating func pinIsChanging(to length: Int) {
        guard let pinLength, pinLength != length else { return }
        self.pinLength = nil
        isPinChanging = true
    }

    /// A PIN of this length has opened the vault, a while ago perhaps. That ends the doubt which a change that was cut off has left; no
    /// length is written where there was none. Where another length stands, the PIN was changed since, or before: nobody knows, so no
    /// pad submits by itself any more.
    mutating func pinHasOpened(length: Int) {
        if isPinChanging {
            pinIsSet(length: length)
        } else if let pinLength, pinLength != length {
            self.pinLength = nil
        }
    }
}
