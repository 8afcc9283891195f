public import NightlatchWire

/// An access token signing key, as stored: the private half is sealed under the master key.
public struct SealedSigningKey: Hashable, Sendable {
    /// The public half's thumbprint.
    public let id: KeyID
    /// The private half in an AES-256-GCM sealed box: nonce, ciphertext, tag.
    public let box: [UInt8]
    /// The master key of the box; nil if a release without rotation of master keys wrote it.
    public let masterKey: MasterKeyID?
    public let createdAt: NumericDate
    /// The time from which the key signs. Until then it is only published.
    public let activeFrom: NumericDate

    public init(
        id: KeyID, box: [UInt8], masterKey: MasterKeyID? = nil, createdAt: NumericDate, activeFrom: NumericDate
    ) {
        self.id = id
        self.box = box
        self.masterKey = masterKey
        self.createdAt = createdAt
        self.activeFrom = activeFrom
    }

    /// Returns the keys among `keys` that begin to sign after `time`, changed to begin at `time`, in their current
    /// order and one second apart.
    package static func limited(_ keys: [Self], startBy time: NumericDate) -> [Self] {
        keys.filter { $0.activeFrom > time }.enumerated().map { index, key in
            Self(
                id: key.id, box: key.box, masterKey: key.masterKey, createdAt: key.createdAt,
                activeFrom: time + .seconds(index))
        }
    }
}
