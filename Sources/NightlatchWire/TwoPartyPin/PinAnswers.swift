/// How a device stands with its two-party PIN.
public struct PinStanding: Codable, Hashable, Sendable {
    /// The epoch whose slot opens the vault; nil if there is none.
    public let epoch: PinEpoch?
    /// An epoch that was opened and neither promoted nor abandoned yet.
    public let candidate: PinEpoch?
    /// The epoch that can be opened next.
    public let nextEpoch: PinEpoch
    public let window: PinWindow
    /// How many guesses the window has left. At 0 the next one destroys all keys.
    public let triesLeft: Int
    /// Whether the device key opens an epoch only with an enrolment code: there was one before, or the guesses were used up.
    public let isCodeRequired: Bool
    /// The relying party's clock, to date messages by.
    public let issuedAt: NumericDate

    public init(
        epoch: PinEpoch?,
        candidate: PinEpoch?,
        nextEpoch: PinEpoch,
        window: PinWindow,
        triesLeft: Int,
        isCodeRequired: Bool,
        issuedAt: NumericDate
    ) {
        self.epoch = epoch
        self.candidate = candidate
        self.nextEpoch = nextEpoch
        self.window = window
        self.triesLeft = triesLeft
        self.isCodeRequired = isCodeRequired
        self.issuedAt = issuedAt
    }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        epoch = try members.optionalValue("epoch")
        candidate = try members.optionalValue("candidate")
        nextEpoch = try members.value("next_epoch")
        window = try members.value("window")
        triesLeft = try members.triesLeft()
        isCodeRequired = try members.value("is_code_required")
        issuedAt = try members.value("issued_at")
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, candidate, window
        case nextEpoch = "next_epoch"
        case triesLeft = "tries_left"
        case isCodeRequired = "is_code_required"
        case issuedAt = "issued_at"
    }
}

/// A candidate that was opened, and its public key, which the device pins.
public struct PinEpochOffer: Codable, Hashable, Sendable {
    public let epoch: PinEpoch
    public let publicKey: PinPublicKey
    /// The window to guess in.
    public let window: PinWindow
    /// The relying party's clock, to date messages by.
    public let issuedAt: NumericDate

    public init(epoch: PinEpoch, publicKey: PinPublicKey, window: PinWindow, issuedAt: NumericDate) {
        self.epoch = epoch
        self.publicKey = publicKey
        self.window = window
        self.issuedAt = issuedAt
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, window
        case publicKey = "public_key"
        case issuedAt = "issued_at"
    }
}

/// A guess that was charged, and what the epoch's key makes of its element.
public struct PinEvaluation: Codable, Hashable, Sendable {
    public let epoch: PinEpoch
    public let window: PinWindow
    public let guess: PinGuessID
    public let evaluatedElement: EvaluatedElement
    /// To be checked against the public key that was pinned for the epoch, before anything is derived.
    public let proof: EvaluationProof
    /// All guesses of the window, this one among them, oldest first. Those that the device was never told of are somebody else's.
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

/// The count was cleared, by a proof or by a promotion.
public struct PinClearing: Codable, Hashable, Sendable {
    /// The epoch that is current now.
    public let epoch: PinEpoch
    /// The window that began.
    public let window: PinWindow
    /// All guesses that were cleared, the one that was right among them, oldest first.
    public let cleared: PinGuessIDs
    /// The relying party's clock, to date messages by.
    public let issuedAt: NumericDate

    public init(epoch: PinEpoch, window: PinWindow, cleared: PinGuessIDs, issuedAt: NumericDate) {
        self.epoch = epoch
        self.window = window
        self.cleared = cleared
        self.issuedAt = issuedAt
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, window, cleared
        case issuedAt = "issued_at"
    }
}

extension JSONObjectReader {
    /// A number of guesses that a relying party may have left.
    fileprivate func triesLeft() throws -> Int {
        let count: Int = try value("tries_left", as: Int.self)
        guard (0...PinGuessIDs.countLimit).contains(count) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [JSONKey("tries_left")], debugDescription: "more guesses than there can be"))
        }
        return count
    }
}
