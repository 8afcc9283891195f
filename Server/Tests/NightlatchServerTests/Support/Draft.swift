import Foundation
import NightlatchServerTesting
import NightlatchWire
import Testing

/// An unsigned message. The tests break one part of it at a time.
struct Draft {
    var header: [String: Any]
    var payload: [String: Any]
    var signer: TestKey
    /// The algorithm to sign with, if it differs from the header's.
    var algorithm: String?
    /// Changes the finished text.
    var finish: (String) -> String = { $0 }

    init(_ claims: some MessageClaims, header: JWSHeader, signer: TestKey) throws {
        self.header = try Self.object(header)
        payload = try Self.object(claims)
        self.signer = signer
    }

    func text() throws -> String {
        let input = try [header, payload]
            .map {
                Base64URL.encode(try JSONSerialization.data(withJSONObject: $0, options: [.withoutEscapingSlashes]))
            }
            .joined(separator: ".")
        let signature = try signer.sign(Data(input.utf8), algorithm: algorithm ?? header["alg"] as? String ?? "ES256")
        return finish(input + "." + Base64URL.encode(signature))
    }

    private static func object(_ value: some Encodable) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: StrictJSON.encode(value)) as? [String: Any] ?? [:]
    }
}

/// One way to break a message, and the refusal that it must cause.
struct Tampering<Refusal: Error & Hashable & Sendable>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let refusal: Refusal
    let apply: @Sendable (inout Draft) throws -> Void

    init(_ description: String, _ refusal: Refusal, _ apply: @escaping @Sendable (inout Draft) throws -> Void) {
        testDescription = description
        self.refusal = refusal
        self.apply = apply
    }
}
