public import NightlatchWire

/// A verified message about a device's two-party PIN that is alive, ready to be carried out.
public struct PinStep: Hashable, Sendable {
    /// The key that signed. Whether it has the role that the action takes, the store says.
    public let signer: KeyID
    /// How many guesses a window has.
    public let guessLimit: Int
    public let action: Action

    public enum Action: Hashable, Sendable {
        /// Makes `key` the candidate, by the device key or by the knowledge key; the former needs the code, where one is required.
        case open(SealedPinKey, code: EnrolmentCodeMAC?)
        /// Charges a guess, under the given id if it is a new one.
        case guess(PinGuess, id: PinGuessID)
        /// Keeps what a guess was evaluated to, unless something is kept already.
        case keep(PinGuessEvaluation, of: ChargedPinGuess)
        /// Clears the count.
        case prove(PinProof)
        /// Makes the candidate current, destroys the epoch before, clears the count. That the new knowledge key has signed too was
        /// verified.
        case promote(PinPromotion)
        /// Destroys the candidate.
        case abandon(PinEpoch)
    }

    public init(signer: KeyID, guessLimit: Int, _ action: Action) {
        self.signer = signer
        self.guessLimit = guessLimit
        self.action = action
    }
}

extension PinStep {
    /// Whose keys may ask for an action.
    package enum Role: Hashable, Sendable {
        /// The possession key spends guesses.
        case guesser
        /// The knowledge key proves that one was right.
        case prover
        /// Device key and knowledge key open, promote and abandon.
        case opener
    }
}

extension PinStep.Action {
    package var role: PinStep.Role {
        switch self {
        case .guess, .keep: .guesser
        case .prove: .prover
        case .open, .promote, .abandon: .opener
        }
    }
}

/// What became of a ``PinStep``.
public enum PinStepOutcome: Hashable, Sendable {
    /// There is this candidate, now or since an earlier request.
    case opened(SealedPinKey, window: PinWindow)
    /// The guess counts, now or since an earlier request: its element may be evaluated with this key, unless that was done.
    case charged(ChargedPinGuess)
    case cleared(PinClearedWindow)
    /// There is no such candidate, now or since an earlier request.
    case abandoned(PinHardening)
    /// Nothing was done, save that all keys were destroyed where there was no guess left. With the state that the device stands in, once
    /// the signer has shown to have a key of it.
    case refused(PinStepRefusal, PinHardening)
}

/// A guess that was charged, and the key that it is for.
public struct ChargedPinGuess: Hashable, Sendable {
    public let id: PinGuessID
    public let key: SealedPinKey
    public let window: PinWindow
    /// All guesses of the window, oldest first.
    public let charged: PinGuessIDs
    public let triesLeft: Int
    /// What is answered; nil until it was computed and kept.
    public internal(set) var evaluation: PinGuessEvaluation?
}

/// The count was cleared.
public struct PinClearedWindow: Hashable, Sendable {
    public let epoch: PinEpoch
    /// The window that began.
    public let window: PinWindow
    public let cleared: PinGuessIDs

    public init(epoch: PinEpoch, window: PinWindow, cleared: PinGuessIDs) {
        self.epoch = epoch
        self.window = window
        self.cleared = cleared
    }
}
