public import NightlatchWire

/// The name of a secret in a vault: 1 to 64 lowercase letters, digits and characters of `. _ -`.
///
/// Names are not secret: the record contains them in readable form. Those that begin with `nightlatch.` are the
/// library's own.
public typealias SecretName = Identifier<SecretNameRule>

public enum SecretNameRule: LiteralIdentifierRule {
    public static let name = "secret name"
    public static let requirement = "1 to 64 characters out of small letters, digits and . _ -"

    public static func accepts(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "._-".utf8.contains($0)
            }
    }
}

extension Identifier where Rule == SecretNameRule {
    /// Whether the name is one of the library's own, which an app can neither read nor write.
    public var isReserved: Bool { rawValue.hasPrefix("nightlatch.") }

    /// The binding of the vault's device, as JSON. ``OpenVault/deviceBinding()`` reads it.
    package static let deviceBinding = SecretName(unchecked: "nightlatch.device-binding")
    /// The application password of the device key: 32 random bytes.
    package static let deviceKeyPassword = SecretName(unchecked: "nightlatch.device-key-password")
    /// The newest refresh token.
    package static let refreshToken = SecretName(unchecked: "nightlatch.refresh-token")
    /// The newest policy, as the relying party has signed it.
    package static let policy = SecretName(unchecked: "nightlatch.policy")
}
