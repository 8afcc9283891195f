import Crypto
import Foundation
import NightlatchJourney
import NightlatchWire

/// A signed message in a callback, parsed with Foundation and swift-crypto alone.
struct SentMessage {
    let text: String
    let header: [String: Any]
    let claims: [String: Any]
    let keyID: String

    struct Missing: Error {}

    init(server callback: any Callback) throws {
        guard let inputs = callback.json["input"] as? [[String: Any]],
            let text = inputs.first(where: { ($0["name"] as? String)?.hasSuffix("jws") == true })?["value"] as? String
        else { throw Missing() }
        try self.init(text)
    }

    init(_ text: String) throws {
        self.text = text
        let parts = text.components(separatedBy: ".")
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let keyID = header["kid"] as? String
        else { throw Missing() }
        self.header = header
        self.claims = claims
        self.keyID = keyID
    }

    /// Whether the key in the header made the signature.
    var isSignedByItsKey: Bool {
        isSigned(by: Self.coordinates(header["jwk"] as? [String: String] ?? [:]))
    }

    /// The point of a public key.
    static func coordinates(_ jwk: [String: String]) -> [UInt8] {
        ["x", "y"].flatMap { name in jwk[name].flatMap { Base64URL.decode($0) } ?? [] }
    }

    func isSigned(by coordinates: [UInt8]) -> Bool {
        let parts = text.components(separatedBy: ".")
        guard let bytes = Base64URL.decode(parts[2]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            let key = try? P256.Signing.PublicKey(rawRepresentation: coordinates)
        else { return false }
        return key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
    }

    private static func object(_ part: String) -> [String: Any]? {
        Base64URL.decode(part).flatMap { try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
    }
}
