/// A charged guess with the evaluation of its element.
public struct PinEvaluation: Codable, Hashable, Sendable {
    public let epoch: PinEpoch
    public let window: PinWindow
    public let guess: PinGuessID
    public let evaluatedElement: EvaluatedElement
    /// The proof. Check it with the pinned public key of the epoch before deriving anything.
    public let proof: EvaluationProof
    /// All guesses that count, including this one, oldest first.
    ///
    /// They are the guesses of this window, and those of earlier windows that no proof or promotion cleared. A guess
    /// whose id the device never received was made by another party.
    public let charged: PinGuessIDs
    /// The number of guesses that remain in the window after this one.
    public let triesLeft: Int
    /// The time until the relying party charges the next guess, if this guess was not the right one. Nil if it charges
    /// one now.
    public let wait: PinWait?
    /// The time of the relying party's clock, for dating messages.
    public let issuedAt: NumericDate

    public init(
        epoch: PinEpoch,
        window: PinWindow,
        guess: PinGuessID,
        evaluatedElement: EvaluatedElement,
        proof: EvaluationProof,
        charged: PinGuessIDs,
        triesLeft: Int,
        wait: PinWait? = nil,
        issuedAt: NumericDate
    ) {
        self.epoch = epoch
        self.window = window
        self.guess = guess
        self.evaluatedElement = evaluatedElement
        self.proof = proof
        self.charged = charged
        self.triesLeft = triesLeft
        self.wait = wait
        self.issuedAt = issuedAt
    }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        epoch = try members.value("epoch")
        window = try members.value("window")
        guess = try members.value("guess")
        evaluatedElement = try members.value("evaluated_element")
        proof = try members.value("proof")
        charged = try members.value("charged")
        triesLeft = try members.triesLeft()
        wait = try members.optionalValue("wait_seconds")
        issuedAt = try members.value("issued_at")
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, window, guess, proof, charged
        case evaluatedElement = "evaluated_element"
        case triesLeft = "tries_left"
        case wait = "wait_seconds"
        case issuedAt = "issued_at"
    }
}
