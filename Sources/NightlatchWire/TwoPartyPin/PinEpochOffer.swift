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
