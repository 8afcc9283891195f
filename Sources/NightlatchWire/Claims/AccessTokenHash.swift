import Crypto
import Foundation

/// The `ath` of a DPoP proof: the SHA-256 hash of the access token
/// ([RFC 9449, section 4.2](https://www.rfc-editor.org/rfc/rfc9449#section-4.2)).
public typealias AccessTokenHash = Identifier<AccessTokenHashRule>

public enum AccessTokenHashRule: BinaryIdentifierRule {
    public static let name = "access token hash"
    public static let byteCount = 32
}

extension Identifier where Rule == AccessTokenHashRule {
    public init(of token: AccessToken) {
        self.init(unchecked: Base64URL.encode(Data(SHA256.hash(data: Data(token.rawValue.utf8)))))
    }
}
