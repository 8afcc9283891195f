public import NightlatchWire

/// The name of a wallet key in its vault: 1 to 40 lowercase letters, digits and characters of `. _ -`.
///
/// Names are not secret: the record contains them in readable form. Wallet keys have their own secret names in the
/// vault, which no other code of the library reads or writes. So a wallet key is never confused with a secret of the
/// device's binding, whatever its name.
public typealias WalletKeyName = Identifier<WalletKeyNameRule>

public enum WalletKeyNameRule: LiteralIdentifierRule {
    public static let name = "wallet key name"
    public static let requirement = "1 to 40 characters out of small letters, digits and . _ -"

    public static func accepts(_ text: String) -> Bool {
        text.utf8.count <= 40 && SecretNameRule.accepts(text)
    }
}

private let prefix = "nightlatch.wallet."

extension Identifier where Rule == SecretNameRule {
    /// Creates the name under which the vault stores a wallet key.
    init(of key: WalletKeyName) {
        // Eighteen characters and at most forty more, all valid in a secret name.
        self.init(unchecked: prefix + key.rawValue)
    }
}

extension Identifier where Rule == WalletKeyNameRule {
    /// Creates the name of the wallet key that the vault stores under `secret`; nil if that is no wallet key.
    init?(heldUnder secret: SecretName) {
        guard secret.rawValue.hasPrefix(prefix) else { return nil }
        self.init(rawValue: String(secret.rawValue.dropFirst(prefix.count)))
    }
}
