/// The person in front of the device, as a ceremony with a user's key needs them: asked through whatever the app shows.
///
/// Each answer is nil, or no, when the person cancels, the time is over or the task is cancelled. It stays where the caller is, so that what an
/// app has made for its screen need not be safe to send.
package protocol UserKeyPerson {
    /// Whether anything can ask for a PIN, and for a key. What cannot be asked is not supported, and not cancelled.
    var canTypePin: Bool { get }
    var canSelectKey: Bool { get }

    /// How many PINs may be tried in one call; at least one is.
    var pinTries: Int { get }

    /// Why biometrics are asked for, in a sentence; not empty.
    var reason: String { get }

    /// Asks for a new PIN, which may be set if `policy` has no objections. What is typed is handed on as it is.
    func choosePin(under policy: PinPolicy, after lastTry: ChosenPinFault?) async -> SecretBytes?

    /// Asks for the key's PIN. What is typed is handed on as it is.
    func enterPin(after lastTry: EnteredPinFault?) async -> SecretBytes?

    /// Shows what the key of `entry` is about to sign, where that is something for a person to read and somebody shows it.
    ///
    /// - Returns: Whether it may be signed; false if the person says no, the time is over or the task is cancelled.
    func approves(signatureBy entry: UserKeyEntry) async -> Bool

    /// Asks which of several users' keys is to sign.
    func selectKey(among keys: [UserKeyEntry]) async -> KeyTag?
}

/// Why the last PIN was not set.
package enum ChosenPinFault: Hashable, Sendable {
    case format(PinFormatError)
    case objections([PinObjection])
}

/// Why the last PIN did not open the key.
package enum EnteredPinFault: Hashable, Sendable {
    /// What was typed was no PIN. It was not tried, so it does not count.
    case format(PinFormatError)
    case wrong(triesLeft: Int)
}
