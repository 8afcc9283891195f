/// A candidate that was opened, and its public key, which the device pins.
public struct PinEpochOffer: Codable, Hashable, Sendable {
    public let epoch: PinEpoch
    public let publicKey: PinPublicKey
    /// The window to guess in.
    public let window: PinWindow
    /// The relying party's clock, to date messages by.
    public let issuedAt: NumericDate
    /// What the relying party signs its answers with, for devices that were bound before it said so then: they pin it now. Those that have
    /// pinned one do not look at it. Nil of a relying party that signs none.
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
