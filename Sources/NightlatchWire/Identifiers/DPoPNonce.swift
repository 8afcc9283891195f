/// A nonce that the server requires in the next DPoP proofs
/// ([RFC 9449, section 8](https://www.rfc-editor.org/rfc/rfc9449#section-8)).
///
/// It has 1 to 256 printable ASCII characters, without spaces, quotation marks and backslashes. The client returns it
/// unchanged.
public typealias DPoPNonce = Identifier<DPoPNonceRule>

public enum DPoPNonceRule: IdentifierRule {
    public static let name = "DPoP nonce"

    public static func accepts(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.hasOnly { $0.match("!") | $0.match("#"..."[") | $0.match("]"..."~") }
    }
}
