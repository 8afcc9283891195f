/// Why a step of a device's two-party PIN was refused.
public enum PinStepRefusal: Hashable, Sendable {
    /// The user has no such device, or the key has not the role that the message takes.
    case notEntitled
    case deviceBarred(DeviceBar)
    case notEnrolled
    /// There was no guess left.
    case destroyed
    case epochPassed
    case windowPassed
    case guessUnknown
    /// The device key has opened a candidate, which the knowledge key may not put aside.
    case candidateOpen
    case codeRequired
    case codeRefused
}
