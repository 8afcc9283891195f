import Crypto
import Foundation
public import NightlatchWire

/// The secret of an app that authenticates with one: 32 random bytes. It is shown once, when it is made; the store has
/// only its hash.
public typealias AppSecret = Identifier<AppSecretRule>

public enum AppSecretRule: BinaryIdentifierRule {
    public static let name = "app secret"
    public static let byteCount = 32
    public static let isSecret = true
}

extension Identifier where Rule == AppSecretRule {
    /// The hash of the secret's text, by which the store recognises it.
    package var hash: AppSecretHash { AppSecretHash(of: rawValue) }
}

extension StoredHash where Subject == AppSecretSubject {
    /// The hash of a secret's text.
    package init(of secret: String) { self.init(SHA256.hash(data: Data(secret.utf8))) }
}
