public import NightlatchWire

/// The name of a wallet key in its vault: 1 to 40 characters out of small letters, digits and `. _ -`. Names are not secret:
/// they stand readable in the record.
///
/// Wallet keys have secret names of their own in the vault, which no other code of the library reads or writes, so a wallet key
/// cannot be taken for what belongs to the device's binding, whatever it is called.
public typealias WalletKeyName = Identifier<WalletKeyNameRule>

public enum WalletKeyNameRule: LiteralIdentifierRule {
    public static let name = "wallet key name"

    public static func accepts(_ text: String) -> Bool {
        text.utf8.count <= 40 && SecretNameRule.accepts(text)
    }
}

private let prefix = "nightlatch.wallet."

extension Identifier where Rule == SecretNameRule {
    /// Under which name the vault holds a wallet key.
    init(of key: WalletKeyName) {
        // Eighteen characters and at most forty, all of which a secret name may have.
        self.init(unchecked: prefix + key.rawValue)
    }
}

extension Identifier where Rule == WalletKeyNameRule {
    /// The name of the wallet key that the vault holds under `secret`, or nil if that is no wallet key.
    init?(heldUnder secret: SecretName) {
        guard secret.rawValue.hasPrefix(prefix) else { return nil }
        self.init(rawValue: String(secret.rawValue.dropFirst(prefix.count)))
    }
}
