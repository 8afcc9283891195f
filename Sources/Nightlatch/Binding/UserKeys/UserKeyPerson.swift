/// Asks the person at the device through the app's screens, during a ceremony with a user's key.
///
/// An answer is nil or false if the person cancels, the time is over or the task is cancelled. The calls stay in the
/// caller's isolation, so an app's screen types need not be `Sendable`.
package protocol UserKeyPerson {
    /// Whether the app can ask for a PIN, and whether it can ask the person to select a key. If it cannot, the error is
    /// `unsupported`, not `cancelled`.
    var canTypePin: Bool { get }
    var canSelectKey: Bool { get }

    /// The number of PINs that may be tried in one call; at least one is tried.
    var pinTries: Int { get }

    /// The reason for asking for biometrics, in a sentence; not empty.
    var reason: String { get }

    /// Asks for a new PIN under `policy`. Returns the input unchanged; the caller checks it.
    func choosePin(under policy: PinPolicy, after lastTry: ChosenPinFault?) async -> SecretBytes?

    /// Asks for the key's PIN. Returns the input unchanged.
    func enterPin(after lastTry: EnteredPinFault?) async -> SecretBytes?

    /// Shows the message that the key of `entry` is about to sign, if the message is human-readable and the app can
    /// show it.
    ///
    /// - Returns: Whether the key may sign; false if the person refuses, the time is over or the task is cancelled.
    func approves(signatureBy entry: UserKeyEntry) async -> Bool

    /// Asks which of several users' keys signs.
    func selectKey(among keys: [UserKeyEntry]) async -> KeyTag?
}

/// The reason why the last PIN was not set.
package enum ChosenPinFault: Hashable, Sendable {
    case format(PinFormatError)
    case objections([PinObjection])
}

/// The reason why the last PIN did not open the key.
package enum EnteredPinFault: Hashable, Sendable {
    /// The input was no PIN. It was not tried, so it does not count.
    case format(PinFormatError)
    case wrong(triesLeft: Int)
}
