public import NightlatchWire

/// A device that is bound to a user, as stored.
public struct RegisteredDevice: Hashable, Sendable {
    public let id: DeviceID
    public let user: UserID
    /// The app that bound the device: the only app whose messages it may sign.
    public let client: ClientID
    /// The key that signs logins.
    public let key: PublicJWK
    /// The only algorithm that is accepted for its signatures: that of the binding ([RFC 8725, section
    /// 3.1](https://www.rfc-editor.org/rfc/rfc8725#section-3.1)).
    public var algorithm: SignatureAlgorithm
    /// The thumbprint of ``key``.
    public let keyID: KeyID
    /// The key that signs DPoP proofs, as the device key last confirmed it.
    public var possessionKey: KeyID
    public var name: DeviceName
    public let boundAt: NumericDate
    public var lastLoginAt: NumericDate?
    /// The time at which the device was revoked or replaced; nil if it was not. Such a device never becomes active
    /// again.
    public var revokedAt: NumericDate?
    /// Nil for a device that is not blocked.
    public var block: DeviceBlock?
    /// The device of the same user that replaced this one.
    public var replacedBy: DeviceID?

    /// Makes a device with these values.
    ///
    /// A store passes the ``keyID`` if it has stored it; otherwise this initialiser computes it. Pass no `algorithm`
    /// for a device that was bound before algorithms were recorded; it gets ES256 or RS256, depending on the key.
    public init(
        id: DeviceID,
        user: UserID,
        client: ClientID,
        key: PublicJWK,
        algorithm: SignatureAlgorithm? = nil,
        keyID: KeyID? = nil,
        possessionKey: KeyID,
        name: DeviceName,
        boundAt: NumericDate,
        lastLoginAt: NumericDate? = nil,
        revokedAt: NumericDate? = nil,
        block: DeviceBlock? = nil,
        replacedBy: DeviceID? = nil
    ) {
        self.id = id
        self.user = user
        self.client = client
        self.key = key
        self.algorithm = algorithm ?? key.firstAlgorithm
        self.keyID = keyID ?? key.thumbprint
        self.possessionKey = possessionKey
        self.name = name
        self.boundAt = boundAt
        self.lastLoginAt = lastLoginAt
        self.revokedAt = revokedAt
        self.block = block
        self.replacedBy = replacedBy
    }
}

extension PublicJWK {
    fileprivate var firstAlgorithm: SignatureAlgorithm {
        switch self {
        case .ec: .es256
        case .rsa: .rs256
        }
    }
}

extension SignatureAlgorithm {
    /// Decodes the algorithm that a store recorded with a device's key, if any.
    package init?(stored text: String?) throws(StoreError) {
        guard let text else { return nil }
        guard let algorithm = Self(rawValue: text) else { throw StoreError(.corrupt) }
        self = algorithm
    }
}

extension RegisteredDevice {
    /// Orders lists: by time of binding, then by id.
    package static func areInOrderOfBinding(_ left: Self, _ right: Self) -> Bool {
        (left.boundAt, left.id.rawValue) < (right.boundAt, right.id.rawValue)
    }
}
