import Crypto
import Foundation
import NightlatchFuzzReference
import NightlatchTokenVerification
import NightlatchWire

/// Invariants of an accepted proof: it is by the key in its header, of the right type, for this request and from this
/// minute.
enum ProofInvariants {
    private static let verifier: DPoPVerifier = {
        guard let issuer = Issuer(rawValue: "https://login.example") else { preconditionFailure("no issuer") }
        return DPoPVerifier(server: issuer, nonces: nil)
    }()

    static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        let text = FuzzedMessage(input).text
        let proof = try? verifier.verify(
            [text], expecting: DPoPVerifier.Expectation(method: "POST", path: "/oauth/token"),
            now: NumericDate(secondsSince1970: FuzzedMessage.now))
        guard let proof else { return false }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try require(parts.count == 3, "not of three parts")
        let header = try JWSInvariants.object(JWSInvariants.decode(parts[0]), "header")
        try require(header.text("typ") == "dpop+jwt" && !header.contains("crit"), "another kind of message")
        try require(header.text("alg") == "ES256", "another algorithm than that of the key")
        let members = try unwrap(header.object("jwk"), "no key")
        let key = PublicJWK.ec(try point(FuzzedMessage.key.publicKey))
        try JWKInvariants.check(key, members)
        try require(proof.key == key.thumbprint, "of another key")
        let claims = try JWSInvariants.object(JWSInvariants.decode(parts[1]), "payload")
        let id = try unwrap(claims.text("jti"), "no name")
        try require((1...256).contains(id.utf8.count), "a name of \(id.utf8.count) bytes")
        try require(claims.text("htm")?.utf8.elementsEqual("POST".utf8) == true, "another method")
        try checkAddress(unwrap(claims.text("htu"), "no address"))
        let issuedAt = try unwrap(claims.integer("iat"), "no time")
        try require((-60...60).contains(issuedAt - FuzzedMessage.now), "\(issuedAt - FuzzedMessage.now) s away")
        try require(!claims.contains("ath") || claims.isNull("ath"), "for an access token that is not there")
        return true
    }

    private static func point(_ key: P256.Signing.PublicKey) throws(FuzzFinding) -> ECPublicJWK {
        try unwrap(ECPublicJWK(coordinates: Array(key.rawRepresentation)), "not a point")
    }

    /// Checks that the address is that of the request, in any spelling.
    private static func checkAddress(_ text: String) throws(FuzzFinding) {
        let scheme = "https://"
        try require(text.prefix(scheme.count).lowercased() == scheme, "another scheme: \(text)")
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        try require(
            authority.first?.removingPercentEncoding?.lowercased() == "login.example", "another host: \(text)")
        let port = authority.dropFirst().first ?? ""
        try require(port.isEmpty || Int(port) == 443, "another port: \(text)")
        let path = rest[end...].prefix { $0 != "?" && $0 != "#" }
        try require(path.removingPercentEncoding == "/oauth/token", "another path: \(text)")
    }
}
