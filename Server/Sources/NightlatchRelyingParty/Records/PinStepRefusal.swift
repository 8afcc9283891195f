public import NightlatchWire

/// The reason why a step of a device's two-party PIN was refused.
public enum PinStepRefusal: Hashable, Sendable {
    /// The user has no such device, or the key does not have the role that the message requires.
    case notEntitled
    case deviceStopped(DeviceStop)
    case notEnrolled
    /// No guess was left.
    case destroyed
    /// A round of guesses has ended. No guess is charged for this time.
    case waiting(PinWait)
    case epochPassed
    case windowPassed
    case guessUnknown
    /// The device key has opened a candidate, which the knowledge key may not replace.
    case candidateOpen
    case codeRequired
    case codeRefused
}
