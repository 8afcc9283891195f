import Crypto
import NightlatchTokenVerification
package import NightlatchWire

/// A refresh token in the form that the relying party understands: the id of its family, and a secret of 32 random
/// bytes.
package struct FamilyToken: Hashable, Sendable {
    private static let secretByteCount = 32

    package let family: RefreshFamilyID
    /// The token as sent to the client: family and secret in `Base64URL`.
    package let token: RefreshToken

    /// Parses a presented token; returns nil for text of another form.
    package init?(_ token: RefreshToken) {
        guard let bytes = Base64URL.decode(token.rawValue),
            bytes.count == RefreshFamilyID.byteCount + Self.secretByteCount,
            let family = RefreshFamilyID(bytes.prefix(RefreshFamilyID.byteCount))
        else { return nil }
        self.family = family
        self.token = token
    }

    private init(family: RefreshFamilyID, secret: [UInt8]) {
        guard let token = RefreshToken(rawValue: Base64URL.encode(family.bytes + secret)) else {
            preconditionFailure("base64url is a valid token")
        }
        self.family = family
        self.token = token
    }

    /// Makes a new token of `family`, with a secret from the system's cryptographically secure generator.
    package static func random(of family: RefreshFamilyID) -> Self {
        Self(family: family, secret: RandomBytes.make(count: secretByteCount))
    }

    /// The hash that the store keeps of the token.
    package var hash: RefreshTokenHash {
        RefreshTokenHash(SHA256.digest(of: Array(token.rawValue.utf8)).bytes)
    }
}
