/// The code in the QR code of a login page: a sealed text that only the relying party can read.
///
/// The QR code itself has the text `ISSUER/login#CODE`, so a camera app opens the relying party's page. The part after
/// `#` is not sent to a server.
public typealias RemoteLoginCode = Identifier<RemoteLoginCodeRule>

public enum RemoteLoginCodeRule: IdentifierRule {
    public static let name = "remote login code"
    public static let requirement = "1 to 1024 characters of base64url"

    public static func accepts(_ text: String) -> Bool {
        (1...1024).contains(text.utf8.count)
            && text.hasOnly { $0.letterOrDigitMatch | $0.match("-") | $0.match("_") }
    }
}

extension Identifier where Rule == RemoteLoginCodeRule {
    /// The path of the address in a QR code.
    private static var scannedPath: String { "/login#" }

    /// Reads the text of a scanned QR code. Returns nil unless it has exactly the form `ISSUER/login#CODE`.
    ///
    /// A QR code of another relying party is refused. Otherwise an attacker could get codes of that relying party
    /// claimed here, or the reverse.
    ///
    /// - Parameters:
    ///   - text: The whole text of the QR code.
    ///   - issuer: The relying party at which the device is bound.
    public init?(scanned text: String, issuer: Issuer) {
        let address = issuer.rawValue + Self.scannedPath
        // Compares bytes. For Swift, texts of different code points can be equal.
        guard text.utf8.starts(with: address.utf8),
            let code = String(text.utf8.dropFirst(address.utf8.count))
        else { return nil }
        self.init(rawValue: code)
    }

    /// Returns the text of the QR code that a login page of `issuer` shows.
    public func scannedText(at issuer: Issuer) -> String { issuer.rawValue + Self.scannedPath + rawValue }
}
