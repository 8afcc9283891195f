/// Whether a device may log in after its vault was opened by a PIN that was tried on the device alone.
///
/// How it was opened is the client's word, signed with the device key; that a device has a two-party PIN, if it says so, is looked up.
public enum LocalPinPolicy: String, Hashable, Sendable, CaseIterable {
    case accepted
    /// Such a login is refused, and so is one that says nothing of how the vault was opened.
    case refused
}
