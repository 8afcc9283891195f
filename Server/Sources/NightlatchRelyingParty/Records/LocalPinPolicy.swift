/// Whether a device may log in after its vault was opened with a PIN that was tested on the device alone.
///
/// The client states how the vault was opened, and signs the statement with the device key. If the client states a
/// two-party PIN, the store checks that the device has one.
public enum LocalPinPolicy: String, Hashable, Sendable, CaseIterable {
    case accepted
    /// Such a login is refused, and so is a login that does not state how the vault was opened.
    case refused
}
