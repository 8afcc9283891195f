import Nightlatch
import NightlatchWire

extension PinHardenerError {
    /// What an answer of the relying party's means for a PIN.
    init(_ error: RelyingPartyError) {
        switch error {
        case .cancelled: self = .cancelled
        case .unreachable, .unintelligible: self = .unavailable(error)
        // A refusal that decides nothing need not be signed, so whatever it says of the PIN is not believed.
        case .refused(let refusal) where !refusal.isDecision: self = .unavailable(error)
        case .refused(let refusal):
            switch (refusal.code, refusal.pin) {
            case (.pinEpochPassed, let standing?): self = .epochPassed(standing)
            case (.pinCandidateOpen, let standing?): self = .candidateOpen(standing)
            case (.pinDestroyed, _): self = .destroyed
            case (.enrolmentCodeRequired, _): self = .codeNeeded
            default: self = .refused(refusal)
            }
        }
    }
}
