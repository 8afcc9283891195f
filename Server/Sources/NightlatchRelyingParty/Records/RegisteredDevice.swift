public import NightlatchWire

/// A device that is bound to a user, as the store knows it.
public struct RegisteredDevice: Hashable, Sendable {
    public let id: DeviceID
    public let user: UserID
    /// The app that bound it, and the only one whose messages it may sign.
    public let client: ClientID
    /// The key that signs logins.
    public let key: PublicJWK
    /// The one algorithm that its signatures are of: that of the binding. A key is used with one
    /// ([RFC 8725, section 3.1](https://www.rfc-editor.org/rfc/rfc8725#section-3.1)).
    public var algorithm: SignatureAlgorithm
    /// The thumbprint of ``key``.
    public let keyID: KeyID
    /// The key that makes DPoP proofs, as the device key last vouched for it.
    public var possessionKey: KeyID
    public var name: DeviceName
    public let boundAt: NumericDate
    public var lastLoginAt: NumericDate?
    /// When the device was revoked or replaced; nil for one that was not. It never becomes active again.
    public var revokedAt: NumericDate?
    /// Nil for a device that is not blocked.
    public var block: DeviceBlock?
    /// The device of the same user that took its place.
    public var replacedBy: DeviceID?

    /// A device with these values. Its ``keyID`` is computed unless it is given, as by a store that has kept it. Without an algorithm, as of
    /// one that was bound before it was kept, it is ES256 or RS256, as the key is.
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
    /// Reads what a store has kept beside a device's key, if it has.
    package init?(stored text: String?) throws(StoreError) {
        guard let text else { return nil }
        guard let algorithm = Self(rawValue: text) else { throw StoreError(.corrupt) }
        self = algorithm
    }
}

extension RegisteredDevice {
    /// The order of lists.
    package static func areInOrderOfBinding(_ left: Self, _ right: Self) -> Bool {
        (left.boundAt, left.id.rawValue) < (right.boundAt, right.id.rawValue)
    }
}
