/// A guess that was charged, and what the epoch's key makes of its element.
public struct PinEvaluation: Codable, Hashable, Sendable {
    public let epoch: PinEpoch
    public let window: PinWindow
    public let guess: PinGuessID
    public let evaluatedElement: EvaluatedElement
    /// To be checked against the public key that was pinned for the epoch, before anything is derived.
    public let proof: EvaluationProof
    /// All guesses that count, this one among them, oldest first: those of the window, and those of earlier windows that nobody has explained.
    /// Those that the device was never told of are somebody else's.
    public let charged: PinGuessIDs
    /// How many guesses the window has left after this one.
    public let triesLeft: Int
    /// The relying party's clock, to date messages by.
    public let issuedAt: NumericDate

    public init(
        epoch: PinEpoch,
        window: PinWindow,
        guess: PinGuessID,
        evaluatedElement: EvaluatedElement,
        proof: EvaluationProof,
        charged: PinGuessIDs,
        triesLeft: Int,
        issuedAt: NumericDate
    ) {
        self.epoch = epoch
        self.window = window
        self.guess = guess
        self.evaluatedElement = evaluatedElement
        self.proof = proof
        self.charged = charged
        self.triesLeft = triesLeft
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
        issuedAt = try members.value("issued_at")
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, window, guess, proof, charged
        case evaluatedElement = "evaluated_element"
        case triesLeft = "tries_left"
        case issuedAt = "issued_at"
    }
}
