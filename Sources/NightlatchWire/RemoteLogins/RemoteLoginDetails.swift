import Crypto
public import Foundation

/// What a user is asked to confirm: a login in a browser, or a request of an app's backend.
///
/// The device shows all of it, and signs its hash. Texts come from the relying party; ``app`` and ``message`` were
/// written by the operator and by the app.
public struct RemoteLoginDetails: Hashable, Sendable {
    /// The app that learns who the user is.
    public let client: ClientID
    /// Its name for users.
    public let app: AppName
    /// The place of the browser; nil for a request of a backend.
    public let place: RemoteLoginPlace?
    /// The text that the backend shows too; nil if there is none.
    public let message: RemoteLoginMessage?
    /// Whether the login page shows a number, which the user must enter on the device.
    public let hasNumber: Bool
    public let requestedAt: NumericDate
    public let expiresAt: NumericDate

    public init(
        client: ClientID,
        app: AppName,
        place: RemoteLoginPlace?,
        message: RemoteLoginMessage?,
        hasNumber: Bool,
        requestedAt: NumericDate,
        expiresAt: NumericDate
    ) {
        self.client = client
        self.app = app
        self.place = place
        self.message = message
        self.hasNumber = hasNumber
        self.requestedAt = requestedAt
        self.expiresAt = expiresAt
    }

    /// The details as canonical JSON ([RFC 8785](https://www.rfc-editor.org/rfc/rfc8785)), from which ``hash`` is
    /// computed. Members that are nil are absent.
    public var canonicalBytes: Data {
        var members: [String: CanonicalJSON] = [
            CodingKeys.client.rawValue: .string(client.rawValue),
            CodingKeys.app.rawValue: .string(app.rawValue),
            CodingKeys.hasNumber.rawValue: .bool(hasNumber),
            CodingKeys.requestedAt.rawValue: .integer(requestedAt.secondsSince1970),
            CodingKeys.expiresAt.rawValue: .integer(expiresAt.secondsSince1970),
        ]
        if let place { members[CodingKeys.place.rawValue] = .string(place.rawValue) }
        if let message { members[CodingKeys.message.rawValue] = .string(message.rawValue) }
        return CanonicalJSON.object(members).bytes
    }

    /// The hash that a device signs in ``RemoteLoginClaims``.
    public var hash: RemoteLoginDetailsHash { RemoteLoginDetailsHash(of: self) }
}

// Unlike other messages, details with an unknown member are refused. Dropping the member would show the user less than
// the relying party sent. An optional member is absent, never null, because the two have different hashes.
extension RemoteLoginDetails: Codable {
    private enum CodingKeys: String, CodingKey {
        case client = "client_id"
        case app, place, message
        case hasNumber = "has_number"
        case requestedAt = "requested_at"
        case expiresAt = "expires_at"
    }

    public init(from decoder: any Decoder) throws {
        try decoder.requireMembers(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        client = try container.decode(ClientID.self, forKey: .client)
        app = try container.decode(AppName.self, forKey: .app)
        place = container.contains(.place) ? try container.decode(RemoteLoginPlace.self, forKey: .place) : nil
        message = container.contains(.message) ? try container.decode(RemoteLoginMessage.self, forKey: .message) : nil
        hasNumber = try container.decode(Bool.self, forKey: .hasNumber)
        requestedAt = try container.decode(NumericDate.self, forKey: .requestedAt)
        expiresAt = try container.decode(NumericDate.self, forKey: .expiresAt)
    }
}

/// The SHA-256 hash of a remote login's details, in their canonical form.
public typealias RemoteLoginDetailsHash = Identifier<RemoteLoginDetailsHashRule>

public enum RemoteLoginDetailsHashRule: BinaryIdentifierRule {
    public static let name = "remote login details hash"
    public static let byteCount = 32
}

extension Identifier where Rule == RemoteLoginDetailsHashRule {
    public init(of details: RemoteLoginDetails) {
        self.init(unchecked: Base64URL.encode(Data(SHA256.hash(data: details.canonicalBytes))))
    }
}
