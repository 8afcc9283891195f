import Crypto
import Foundation
package import NightlatchWire

extension Identifier where Rule == RefreshTokenRule {
    /// A new token: 32 bytes from the system's cryptographically secure generator.
    package static func random() -> RefreshToken? {
        RefreshToken(rawValue: Base64URL.encode(SecretBytes.random(count: 32)))
    }
}

extension StoredHash where Subject == RefreshTokenSubject {
    /// The hash by which the store knows `token`.
    package init(of token: RefreshToken) {
        self.init(SHA256.hash(data: Data(token.rawValue.utf8)))
    }
}
