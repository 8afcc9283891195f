import NightlatchWire

extension Refusal {
    /// The refusal for the client.
    init(_ refusal: PinStepRefusal, standing: PinStanding) {
        switch refusal {
        case .notEntitled: self = .messageRefused(.wrongKey)
        case .deviceStopped(let stop): self = Refusal(stop)
        case .notEnrolled: self = .pinNotEnrolled
        case .destroyed: self = .pinDestroyed
        case .waiting: self = .pinWaiting(standing)
        case .epochPassed: self = .pinEpochPassed(standing)
        case .windowPassed: self = .pinWindowPassed(standing)
        case .guessUnknown: self = .pinGuessUnknown
        case .candidateOpen: self = .pinCandidateOpen(standing)
        case .codeRequired: self = .enrolmentCodeRequired
        case .codeRefused: self = .enrolmentCodeRefused
        }
    }
}
