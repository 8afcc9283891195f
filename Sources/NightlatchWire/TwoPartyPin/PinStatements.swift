/// Asks for the state of the device's two-party PIN. Signed by the possession key.
public struct PinInquiry: PinStatement {
    public static let messageType = MessageType.pinStanding

    public init() {}
}

/// Opens an epoch as a candidate. Signed by the device key or by the current knowledge key.
public struct PinOpening: PinStatement {
    public static let messageType = MessageType.pinOpening

    /// The standing's next epoch, or a candidate that the same key opened, to get its public key again.
    public let epoch: PinEpoch

    public init(epoch: PinEpoch) {
        self.epoch = epoch
    }
}

/// Charges a guess, then evaluates it. Signed by the possession key.
public struct PinGuess: PinStatement {
    public static let messageType = MessageType.pinGuess

    public let epoch: PinEpoch
    public let window: PinWindow
    /// The blinded element. Sending the same element again in the same window charges no second guess.
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

/// Proves that the guess was right, and clears the count of this device's guesses.
///
/// Signed by the current knowledge key. The device can open that key only after a right guess.
public struct PinProof: PinStatement {
    public static let messageType = MessageType.pinProof

    public let epoch: PinEpoch
    public let window: PinWindow
    public let guess: PinGuessID
    /// The guesses whose ids the device received: this one and wrong ones before it.
    ///
    /// They are the device's own and are cleared too. Other guesses count until an epoch is promoted. Nil from a client
    /// that does not list its guesses: then only `guess` is cleared.
    public let own: PinGuessIDs?

    public init(epoch: PinEpoch, window: PinWindow, guess: PinGuessID, own: PinGuessIDs? = nil) {
        self.epoch = epoch
        self.window = window
        self.guess = guess
        self.own = own
    }
}

/// Makes the candidate the current epoch. The relying party destroys the key of the previous epoch.
///
/// Signed by the key that opened the candidate.
public struct PinPromotion: PinStatement {
    public static let messageType = MessageType.pinPromotion

    /// The candidate.
    public let epoch: PinEpoch
    public let window: PinWindow
    /// A guess for the candidate.
    public let guess: PinGuessID
    /// The new knowledge key, which signs the ``PinCandidacy`` in the same request.
    public let knowledgeKey: KeyID
    /// The candidate's public key that the device received. The relying party refuses any other key. Nil from a client
    /// that does not state it.
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

/// Introduces the knowledge key of the candidate. Signed by that key.
///
/// It is sent with a ``PinPromotion`` that has the same values.
public struct PinCandidacy: PinStatement {
    public static let messageType = MessageType.pinCandidacy

    public let epoch: PinEpoch
    public let window: PinWindow
    public let guess: PinGuessID
    /// The same value as ``PinPromotion/publicKey``.
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

/// Abandons the candidate, which can then never become current. Signed by the key that opened it.
public struct PinAbandonment: PinStatement {
    public static let messageType = MessageType.pinAbandonment

    public let epoch: PinEpoch

    public init(epoch: PinEpoch) {
        self.epoch = epoch
    }
}
