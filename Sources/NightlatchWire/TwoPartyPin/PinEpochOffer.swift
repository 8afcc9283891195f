/// An opened candidate with its public key. The device pins the key.
public struct PinEpochOffer: Codable, Hashable, Sendable {
    public let epoch: PinEpoch
    public let publicKey: PinPublicKey
    /// The window for guesses.
    public let window: PinWindow
    /// The time of the relying party's clock, for dating messages.
    public let issuedAt: NumericDate
    /// The key with which the relying party signs its answers.
    ///
    /// A device pins it now if the relying party did not send it at the binding. A device that has pinned a key ignores
    /// this one. Nil from a relying party that signs no answers.
    public let answerKey: PublicJWK?

    public init(
        epoch: PinEpoch,
        publicKey: PinPublicKey,
        window: PinWindow,
        issuedAt: NumericDate,
        answerKey: PublicJWK? = nil
    ) {
        self.epoch = epoch
        self.publicKey = publicKey
        self.window = window
        self.issuedAt = issuedAt
        self.answerKey = answerKey
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, window
        case publicKey = "public_key"
        case issuedAt = "issued_at"
        case answerKey = "answer_key"
    }
}
