#if os(Linux) || os(macOS)
import Crypto
import Foundation
import NightlatchWire
import Testing

@Suite("Comparison with Python’s cryptography")
struct PythonOracleTests {
    @Test("Python verifies a message that we sign, and refuses a changed one")
    func ours() throws {
        let oracle = try PythonOracle()
        let key = P256.Signing.PrivateKey()
        let coordinates = [UInt8](key.publicKey.rawRepresentation)
        let (x, y) = (Base64URL.encode(coordinates.prefix(32)), Base64URL.encode(coordinates.suffix(32)))
        let claims = try StrictJSON.decode(LoginClaims.self, from: Data(RawJWS.loginPayload.utf8))
        let message = UnsignedJWS(claims, algorithm: .es256)
        let text = message.signed(try key.signature(for: message.signingInput).rawRepresentation)
        #expect(try oracle.verify(text, x: x, y: y) == RawJWS.loginPayload)
        let bert = try StrictJSON.decode(
            LoginClaims.self, from: Data(RawJWS.payload("sub", #""bert""#).utf8))
        let changed = UnsignedJWS(bert, algorithm: .es256).signed(try CompactJWS(text).signature)
        #expect(throws: (any Error).self) { try oracle.verify(changed, x: x, y: y) }
    }

    @Test("We read and verify a message that Python signs")
    func theirs() throws {
        let oracle = try PythonOracle()
        let raw = RawJWS()
        let answer = try oracle.sign(header: raw.header, payload: raw.payload)
        try #require(answer.count == 3)
        let jwk = try StrictJSON.decode(
            PublicJWK.self, from: Data(#"{"kty":"EC","crv":"P-256","x":"\#(answer[0])","y":"\#(answer[1])"}"#.utf8))
        guard case .ec(let point) = jwk else {
            Issue.record("not an EC key")
            return
        }
        let message = try CompactJWS(answer[2])
        #expect(try message.claims(LoginClaims.self).subject.rawValue == "anna")
        let key = try P256.Signing.PublicKey(rawRepresentation: point.coordinates)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: message.signature)
        #expect(key.isValidSignature(signature, for: message.signingInput))
        #expect(!key.isValidSignature(signature, for: message.signingInput + [0]))
    }
}
#endif
