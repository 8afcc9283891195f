public import NightlatchWire

/// A verified, unexpired message about a device's two-party PIN, ready to be carried out.
public struct PinStep: Hashable, Sendable {
    /// The key that signed. The store checks that the key has the role that the action requires.
    public let signer: KeyID
    /// The rounds of guesses in a window.
    public let rounds: GuessRounds
    /// The master keys that the process knows. A guess at a key under another one is not charged. Nil if unknown.
    public let knownKeys: Set<MasterKeyID>?
    public let action: Action

    public enum Action: Hashable, Sendable {
        /// Makes `key` the candidate.
        ///
        /// The device key or the knowledge key signs; the device key also needs the enrolment code `code`, if the
        /// device's state requires one.
        case open(SealedPinKey, code: EnrolmentCodeMAC?)
        /// Charges a new guess under the given id. A repeated guess keeps its id, and is not charged again.
        case guess(PinGuess, id: PinGuessID)
        /// Records the evaluation of a guess, if the guess has none yet.
        case keep(PinGuessEvaluation, of: ChargedPinGuess)
        /// Clears the count of guesses.
        case prove(PinProof)
        /// Makes the candidate current, destroys the previous epoch and clears the count.
        ///
        /// The signature of the new knowledge key was verified before.
        case promote(PinPromotion)
        /// Destroys the candidate.
        case abandon(PinEpoch)
    }

    public init(signer: KeyID, rounds: GuessRounds, knownKeys: Set<MasterKeyID>? = nil, _ action: Action) {
        self.signer = signer
        self.rounds = rounds
        self.knownKeys = knownKeys
        self.action = action
    }
}

extension PinStep {
    /// The role of the key that signs an action.
    package enum Role: Hashable, Sendable {
        /// The possession key, which spends guesses.
        case guesser
        /// The knowledge key, which proves that a guess was right.
        case prover
        /// The device key or the knowledge key, which open, promote and abandon epochs.
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

/// The outcome of a ``PinStep``.
public enum PinStepOutcome: Hashable, Sendable {
    /// The epoch is the candidate, opened now or by an earlier request.
    case opened(SealedPinKey, window: PinWindow)
    /// The guess is charged, now or by an earlier request.
    ///
    /// The relying party may evaluate the guess's element with this key, unless it has already done so.
    case charged(ChargedPinGuess)
    case cleared(PinClearedWindow)
    /// The candidate no longer exists, because of this or an earlier request.
    case abandoned(PinHardening)
    /// The step was refused.
    ///
    /// The step changed nothing, with two exceptions. If no guess was left, all keys were destroyed. And the times of
    /// guesses that were charged by another clock are now times of this one. The state may be shown only to a signer
    /// that holds one of the device's keys.
    case refused(PinStepRefusal, PinHardening)
}

/// A charged guess, and the key that evaluates it.
public struct ChargedPinGuess: Hashable, Sendable {
    public let id: PinGuessID
    public let key: SealedPinKey
    public let window: PinWindow
    /// All guesses that count, oldest first.
    public let charged: PinGuessIDs
    public let triesLeft: Int
    /// The time until another guess may be charged; nil if one may be charged now.
    public let wait: PinWait?
    /// The evaluation for the response; nil until it was computed and recorded.
    public internal(set) var evaluation: PinGuessEvaluation?
}

/// The result of clearing the count of guesses.
public struct PinClearedWindow: Hashable, Sendable {
    public let epoch: PinEpoch
    /// The window that begins.
    public let window: PinWindow
    public let cleared: PinGuessIDs

    public init(epoch: PinEpoch, window: PinWindow, cleared: PinGuessIDs) {
        self.epoch = epoch
        self.window = window
        self.cleared = cleared
    }
}
