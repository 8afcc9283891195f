import Crypto
import Foundation
import NightlatchDemo
import NightlatchWire
import Testing

@Suite("The ID token that the demonstration’s shop accepts")
struct VerifiedIDTokenTests {
    private static let now: Int = 1_800_000_000
    private let key = P256.Signing.PrivateKey()

    private func published(_ key: P256.Signing.PrivateKey) throws -> PublicJWK {
        .ec(try #require(ECPublicJWK(coordinates: Array(key.publicKey.rawRepresentation))))
    }

    /// Signs a token whose members are those of a valid one, except the given ones. A member that is nil is left out.
    private func token(
        header: [String: String?] = [:], claims: [String: String?] = [:], by signer: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let defaultHeader = ["alg": #""ES256""#, "kid": #""\#(try published(key).thumbprint)""#, "typ": #""JWT""#]
        let defaultClaims = [
            "iss": #""http://127.0.0.1:8080""#, "aud": #""shop""#, "sub": #""alice""#, "nonce": #""the-nonce""#,
            "iat": "\(Self.now)", "exp": "\(Self.now + 300)",
        ]
        let parts = [(defaultHeader, header), (defaultClaims, claims)].map { valid, changed in
            let members = valid.merging(changed.compactMapValues(\.self)) { $1 }
                .filter { changed[$0.key] != .some(nil) }
            return Base64URL.encode(
                Array("{\(members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}".utf8))
        }
        let text = parts.joined(separator: ".")
        let signature = try (signer ?? key).signature(for: Data(text.utf8))
        return text + "." + Base64URL.encode(Array(signature.rawRepresentation))
    }

    private func verify(_ token: String, at time: Int = Self.now) throws -> VerifiedIDToken {
        try VerifiedIDToken(
            token, by: [try published(key)], of: try #require(Issuer(rawValue: "http://127.0.0.1:8080")),
            nonce: "the-nonce", now: NumericDate(secondsSince1970: time))
    }

    @Test("A valid token names the user")
    func valid() throws {
        #expect(try verify(try token()).subject == "alice")
    }

    @Test(
        "A token from another server, for another app, of another request or without a user is refused",
        arguments: [
            ["iss": #""http://127.0.0.1:8081""#], ["iss": nil], ["aud": #""other""#], ["aud": nil],
            ["nonce": #""another""#], ["nonce": nil], ["sub": nil], ["sub": #""""#], ["exp": nil], ["iat": nil],
        ] as [[String: String?]])
    func claims(changed: [String: String?]) throws {
        let token = try token(claims: changed)
        #expect(throws: ShopFailure.self) { try verify(token) }
    }

    @Test("A token is refused before its time and from its end on")
    func time() throws {
        let token = try token()
        #expect(throws: ShopFailure.self) { try verify(token, at: Self.now + 300) }
        #expect(throws: ShopFailure.self) { try verify(token, at: Self.now - 61) }
        #expect(try verify(token, at: Self.now + 299).subject == "alice")
    }

    @Test("A token that another key signed, or whose header names another key or kind, is refused")
    func signature() throws {
        let stranger = P256.Signing.PrivateKey()
        let forged = [
            try token(by: stranger),
            try token(header: ["kid": #""\#(try published(stranger).thumbprint)""#], by: stranger),
            try token(header: ["kid": nil]), try token(header: ["typ": #""at+jwt""#]),
        ]
        for token in forged { #expect(throws: ShopFailure.self) { try verify(token) } }
    }
}
