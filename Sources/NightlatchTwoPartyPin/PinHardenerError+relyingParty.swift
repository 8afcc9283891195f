import Nightlatch
import NightlatchWire

extension PinHardenerError {
    /// Maps an error of the relying party's answer to an error of the PIN.
    init(_ error: RelyingPartyError) {
        switch error {
        case .cancelled: self = .cancelled
        case .unreachable, .unintelligible: self = .unavailable(error)
        // The status of a wait is that of a refusal that decides nothing, for clients that do not know the code. The
        // port accepts the code only if it is authentic, as it does with decisions.
        case .refused(let refusal) where refusal.code == .pinWaiting:
            if let standing = refusal.pin, let wait = standing.wait {
                self = .lockedOut(wait: wait.duration, triesLeft: standing.triesLeft)
            } else {
                self = .unavailable(error)
            }
        // A refusal that is no decision need not be signed, so its statements about the PIN are not trusted.
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
