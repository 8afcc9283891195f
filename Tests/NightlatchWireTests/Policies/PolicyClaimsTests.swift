import Crypto
import Foundation
import NightlatchWire
import Testing

@Suite("Signed policies")
struct PolicyClaimsTests {
    private let key = P256.Signing.PrivateKey()

    @Test("A signed policy has exactly the documented names, and reads back")
    func names() throws {
        let claims = try claims()
        let json =
            #"{"aud":"nightlatch","iat":1800000000,"iss":"https://a.example","policy":{"hardware":"required"},"#
            + #""revision":7,"sub":"anna"}"#
        try expectSame(claims, json)
        #expect(PolicyClaims.messageType.rawValue == "nightlatch-policy+jwt")
        #expect(claims.content == #"{"hardware":"required"}"#)
        #expect(try PolicyClaims(sign(claims), signedBy: publicKey()) == claims)
    }

    @Test("Only the pinned key's signature over a policy counts")
    func signatures() throws {
        let text = try sign(try claims())
        let other = P256.Signing.PrivateKey()
        #expect(throws: PolicyStatementError.wrongSignature) {
            try PolicyClaims(text, signedBy: try publicKey(of: other))
        }
        var parts = text.split(separator: ".").map(String.init)
        let payload = try #require(Base64URL.decode(parts[1]))
        let changed = String(decoding: payload, as: UTF8.self).replacing("required", with: "preferred")
        parts[1] = Base64URL.encode(Array(changed.utf8))
        #expect(throws: PolicyStatementError.wrongSignature) {
            try PolicyClaims(parts.joined(separator: "."), signedBy: try publicKey())
        }
        #expect(throws: PolicyStatementError.malformed) {
            try PolicyClaims("a policy", signedBy: try publicKey())
        }
    }

    @Test("A message of another kind is no policy, whoever signed it")
    func otherKinds() throws {
        let answer = PinAnswerClaims(
            issuer: try #require(Issuer(rawValue: "https://a.example")), request: Data(), status: 200, answer: Data())
        #expect(throws: PolicyStatementError.malformed) {
            try PolicyClaims(sign(answer), signedBy: try publicKey())
        }
        let policy = try sign(try claims())
        #expect(!answer.isSigned(in: policy, by: try publicKey()))
    }

    @Test("What a device does not know still distinguishes two policies")
    func content() throws {
        let statements = try ["5", "6"].map { count in
            let payload =
                #"{"aud":"nightlatch","iat":1,"iss":"https://a.example","policy":{"pin_history":\#(count)},"#
                + #""revision":7,"sub":"anna"}"#
            let text = ["{\"alg\":\"ES256\",\"typ\":\"nightlatch-policy+jwt\"}", payload]
                .map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
            let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
            return try PolicyClaims(text + "." + Base64URL.encode(signature), signedBy: try publicKey())
        }
        #expect(statements.allSatisfy { $0.ignoredMembers == ["pin_history"] && $0.policy.isEmpty })
        #expect(statements[0].content != statements[1].content)
    }

    private func claims() throws -> PolicyClaims {
        var policy = Policy()
        policy.hardware = .required
        return PolicyClaims(
            issuer: try #require(Issuer(rawValue: "https://a.example")), audience: .default,
            subject: try #require(UserID(rawValue: "anna")), issuedAt: NumericDate(secondsSince1970: 1_800_000_000),
            revision: try #require(PolicyRevision(rawValue: 7)), policy: policy)
    }

    private func sign(_ claims: some MessageClaims) throws -> String {
        let unsigned = UnsignedJWS(claims, algorithm: .es256, keyID: try publicKey().thumbprint)
        return unsigned.signed(try key.signature(for: unsigned.signingInput).rawRepresentation)
    }

    private func publicKey(of other: P256.Signing.PrivateKey? = nil) throws -> PublicJWK {
        .ec(try #require(ECPublicJWK(coordinates: Array((other ?? key).publicKey.rawRepresentation))))
    }
}
