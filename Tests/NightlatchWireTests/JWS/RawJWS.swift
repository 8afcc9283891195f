import Crypto
import Foundation
import NightlatchWire

/// A signed message made of any texts, so that each test can break one part of it.
struct RawJWS {
    var header = #"{"alg":"ES256","typ":"nightlatch-login+jwt","kid":"\#(KeyVectors.ec[0].thumbprint)"}"#
    var payload: String = Self.loginPayload
    var signature = [UInt8](repeating: 7, count: 64)

    var text: String {
        [Array(header.utf8), Array(payload.utf8), signature].map(Base64URL.encode).joined(separator: ".")
    }

    static let loginPayload: String = payload()

    /// The payload of a login with one member set to another JSON text, or without it for nil.
    static func payload(_ member: String = "sub", _ value: String? = #""anna""#) -> String {
        var members = [
            "iss": #""nightlatch""#, "sub": #""anna""#, "aud": #""https://login.example.com""#,
            "jti": #""AAAAAAAAAAAAAAAAAAAAAA""#, "iat": "1700000000", "exp": "1700000060",
            "challenge": #""AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA""#,
            "dpop_jkt": #""AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA""#,
        ]
        members[member] = value
        return "{" + members.sorted { $0.key < $1.key }.map { #""\#($0)":\#($1)"# }.joined(separator: ",") + "}"
    }
}
