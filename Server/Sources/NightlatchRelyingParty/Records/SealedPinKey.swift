public import NightlatchWire

/// The relying party's key for one epoch of one device, as stored: the private half is sealed under the master key.
public struct SealedPinKey: Codable, Hashable, Sendable {
    public let epoch: PinEpoch
    public let publicKey: PinPublicKey
    /// The private half in an AES-256-GCM sealed box, in base64url: nonce, ciphertext, tag.
    public let box: String
    /// The master key of the box; nil if a release without rotation of master keys wrote the state.
    public let masterKey: MasterKeyID?

    public init(epoch: PinEpoch, publicKey: PinPublicKey, box: [UInt8], masterKey: MasterKeyID? = nil) {
        self.masterKey = masterKey
        self.epoch = epoch
        self.publicKey = publicKey
        self.box = Base64URL.encode(box)
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, box
        case publicKey = "public_key"
        case masterKey = "master_key"
    }
}
