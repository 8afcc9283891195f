public import NightlatchWire

/// A key that signs access tokens, as the store holds it: its private half is sealed under the master key.
public struct SealedSigningKey: Hashable, Sendable {
    /// The public half's thumbprint.
    public let id: KeyID
    /// The private half in an AES-256-GCM box: nonce, ciphertext, tag.
    public let box: [UInt8]
    public let createdAt: NumericDate
    /// From when on it signs. Until then it is only published.
    public let activeFrom: NumericDate

    public init(id: KeyID, box: [UInt8], createdAt: NumericDate, activeFrom: NumericDate) {
        self.id = id
        self.box = box
        self.createdAt = createdAt
        self.activeFrom = activeFrom
    }

    /// Those of `keys` that begin to sign after `time`, as they are to begin: at `time`, in the order that they have, each a second after the one
    /// before.
    package static func limited(_ keys: [Self], startBy time: NumericDate) -> [Self] {
        keys.filter { $0.activeFrom > time }.enumerated().map { index, key in
            Self(id: key.id, box: key.box, createdAt: key.createdAt, activeFrom: time + .seconds(index))
        }
    }
}
