package import Crypto
import Foundation
import NightlatchWire

/// A refresh token of an app: the id of its grant, its number, and a MAC of both.
///
/// Without the key, no token can be made. The same grant and number always give the same token.
struct AppRefreshToken: Hashable, Sendable {
    let grant: GrantID
    let generation: Int
}

/// Makes and recognises ``AppRefreshToken``s.
package struct AppRefreshTokens: Sendable {
    private static let numberByteCount = 4
    private let key: SymmetricKey

    /// - Parameter key: A secret that no rotation of the master key changes, because tokens live long.
    package init(key: SymmetricKey) { self.key = key }

    func text(of token: AppRefreshToken) -> String {
        let bytes = Self.bytes(of: token)
        return Base64URL.encode(bytes + Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key)))
    }

    /// The token of `text`; nil for a text that this relying party has not issued.
    func token(_ text: String) -> AppRefreshToken? {
        let (grantCount, length) = (GrantIDRule.byteCount, GrantIDRule.byteCount + Self.numberByteCount)
        guard let bytes = Base64URL.decode(text), bytes.count == length + SHA256.byteCount,
            // Compares in constant time.
            HMAC<SHA256>.isValidAuthenticationCode(bytes[length...], authenticating: bytes[..<length], using: key),
            let grant = GrantID(bytes: Array(bytes[..<grantCount]))
        else { return nil }
        return AppRefreshToken(
            grant: grant, generation: bytes[grantCount..<length].reduce(0) { $0 << 8 | Int($1) })
    }

    private static func bytes(of token: AppRefreshToken) -> [UInt8] {
        token.grant.bytes
            + stride(from: 8 * (numberByteCount - 1), through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: token.generation >> $0)
            }
    }
}
