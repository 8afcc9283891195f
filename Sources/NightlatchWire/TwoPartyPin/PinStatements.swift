/// How does the device stand? Signed by the possession key.
public struct PinInquiry: PinStatement {
    public static let messageType = MessageType.pinStanding

    public init() {}
}

/// Open this epoch as a candidate. Signed by the device key or by the current knowledge key.
public struct PinOpening: PinStatement {
    public static let messageType = MessageType.pinOpening

    /// The next number of the standing; or that of a candidate which the same key has opened, to be told its public key again.
    public let epoch: PinEpoch

    public init(epoch: PinEpoch) {
        self.epoch = epoch
    }
}

/// Charge a guess, then evaluate. Signed by the possession key.
public struct PinGuess: PinStatement {
    public static let messageType = MessageType.pinGuess

    public let epoch: PinEpoch
    public let window: PinWindow
    /// The same one again in the same window is the same guess.
    public let blindedElement: BlindedElement

    public init(epoch: PinEpoch, window: PinWindow, blindedElement: BlindedElement) {
        self.epoch = epoch
        self.window = window
        self.blindedElement = blindedElement
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, window
        case blindedElement = "blinded_element"
    }
}

/// The guess was right: clear the count of this device's guesses. Signed by the current knowledge key, which only a right guess brings forth.
public struct PinProof: PinStatement {
    public static let messageType = MessageType.pinProof

    public let epoch: PinEpoch
    public let window: PinWindow
    public let guess: PinGuessID
    /// The guesses that the device was told of, this one or wrong ones before it: they are its own, and are cleared too. All others count on until
    /// an epoch is promoted. Nil of a client that says nothing of it: then `guess` alone is cleared.
    public let own: PinGuessIDs?

    public init(epoch: PinEpoch, window: PinWindow, guess: PinGuessID, own: PinGuessIDs? = nil) {
        self.epoch = epoch
        self.window = window
        self.guess = guess
        self.own = own
    }
}

/// The candidate is current from now on, and the epoch before is to be destroyed. Signed by the key that opened the candidate.
public struct PinPromotion: PinStatement {
    public static let messageType = MessageType.pinPromotion

    /// The candidate.
    public let epoch: PinEpoch
    public let window: PinWindow
    /// A guess for the candidate.
    public let guess: PinGuessID
    /// The key that signs the ``PinCandidacy`` which comes along.
    public let knowledgeKey: KeyID
    /// The candidate's public key as the device was told it: another is refused. Nil of a client that does not say.
    public let publicKey: PinPublicKey?

    public init(
        epoch: PinEpoch,
        window: PinWindow,
        guess: PinGuessID,
        knowledgeKey: KeyID,
        publicKey: PinPublicKey? = nil
    ) {
        self.epoch = epoch
        self.window = window
        self.guess = guess
        self.knowledgeKey = knowledgeKey
        self.publicKey = publicKey
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, window, guess
        case knowledgeKey = "knowledge_key"
        case publicKey = "public_key"
    }
}

/// I am the knowledge key of this candidate. Signed by that key, and sent with a ``PinPromotion`` that says the same.
public struct PinCandidacy: PinStatement {
    public static let messageType = MessageType.pinCandidacy

    public let epoch: PinEpoch
    public let window: PinWindow
    public let guess: PinGuessID
    /// As ``PinPromotion/publicKey``.
    public let publicKey: PinPublicKey?

    public init(epoch: PinEpoch, window: PinWindow, guess: PinGuessID, publicKey: PinPublicKey? = nil) {
        self.epoch = epoch
        self.window = window
        self.guess = guess
        self.publicKey = publicKey
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, window, guess
        case publicKey = "public_key"
    }
}

/// This candidate is never to be current. Signed by the key that opened it.
public struct PinAbandonment: PinStatement {
    public static let messageType = MessageType.pinAbandonment

    public let epoch: PinEpoch

    public init(epoch: PinEpoch) {
        self.epoch = epoch
    }
}
