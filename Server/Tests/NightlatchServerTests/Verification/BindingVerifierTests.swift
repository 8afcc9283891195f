import Crypto
import CryptoExtras
import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Verification of a binding message")
struct BindingVerifierTests {
    private let challenge = Challenge.random()

    private func verify(
        by device: TestDevice,
        named key: TestKey? = nil,
        _ change: (inout Draft) throws -> Void = { _ in }
    ) throws -> VerifiedBinding {
        let issuer = try Fixture.issuer()
        var draft = try device.bindingDraft(
            user: Fixture.alice(), challenge: challenge, to: issuer, name: Fixture.phone())
        try change(&draft)
        return try BindingVerifier(relyingParty: issuer).verify(
            try draft.text(), through: [.default],
            expecting: .init(user: Fixture.alice(), deviceKey: (key ?? device.key).id, challenge: challenge),
            now: TestTime.current)
    }

    @Test("A valid message gives the key and the contents that it states")
    func good() throws {
        let device = TestDevice()
        let verified = try verify(by: device)
        #expect(verified.key == (try device.key.jwk))
        #expect(verified.possessionKey == (try device.possession.id))
        #expect(verified.user == (try Fixture.alice()))
        #expect(verified.client == .default)
        #expect(verified.deviceName == (try Fixture.phone()))
    }

    @Test("An RSA key signs with each of its three algorithms", arguments: [SignatureAlgorithm.rs256, .rs384, .rs512])
    func rsa(algorithm: SignatureAlgorithm) throws {
        var device = TestDevice()
        device.key = .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        device.algorithm = algorithm
        #expect(try verify(by: device).key == device.key.jwk)
        #expect(throws: MessageRefusal.wrongSignature) {
            try verify(by: device) { $0.algorithm = algorithm == .rs256 ? "RS512" : "RS256" }
        }
        #expect(throws: MessageRefusal.wrongSignature) { try verify(by: device) { $0.header["alg"] = "ES256" } }
    }

    @Test(
        "The clock may differ by a minute, and no more",
        arguments: [(-119, true), (-120, false), (60, true), (61, false)])
    func skew(seconds: Int, isAccepted: Bool) throws {
        func verifyShifted() throws {
            _ = try verify(by: TestDevice()) { draft in
                draft.payload["iat"] = TestTime.current.secondsSince1970 + seconds
                draft.payload["exp"] = TestTime.current.secondsSince1970 + seconds + 60
            }
        }
        if isAccepted {
            try verifyShifted()
        } else {
            #expect(throws: seconds < 0 ? MessageRefusal.expired : .notYetValid) { try verifyShifted() }
        }
    }

    @Test("A key that was not named at the beginning is refused")
    func otherKey() throws {
        #expect(throws: MessageRefusal.wrongKey) { try verify(by: TestDevice(), named: TestKey.newEC()) }
    }

    @Test("A message with one broken part is refused for that part", arguments: tamperings)
    func tampered(tampering: Tampering<MessageRefusal>) throws {
        #expect(throws: tampering.refusal) { try verify(by: TestDevice(), tampering.apply) }
    }

    static let tamperings: [Tampering<MessageRefusal>] = [
        Tampering("alg none", .malformed(.invalidHeader(.unexpectedShape(path: "alg")))) { draft in
            draft.header["alg"] = "none"
            draft.algorithm = "ES256"
        },
        Tampering("alg none without signature", .malformed(.malformed)) { draft in
            draft.header["alg"] = "ES256"
            draft.algorithm = "none"
        },
        Tampering("alg HS256, keyed with the public key", .malformed(.invalidHeader(.unexpectedShape(path: "alg")))) {
            $0.header["alg"] = "HS256"
        },
        Tampering("alg RS256 with an EC key", .wrongSignature) { $0.header["alg"] = "RS256" },
        Tampering("no alg", .malformed(.invalidHeader(.unexpectedShape(path: "alg")))) { $0.header["alg"] = nil },
        Tampering("typ of a login", .malformed(.wrongType(.login))) { $0.header["typ"] = MessageType.login.rawValue },
        Tampering("typ of an access token", .malformed(.wrongType(.accessToken))) { $0.header["typ"] = "at+jwt" },
        Tampering("typ JWT", .malformed(.wrongType(.idToken))) { $0.header["typ"] = "JWT" },
        Tampering("no typ", .malformed(.invalidHeader(.unexpectedShape(path: "typ")))) { $0.header["typ"] = nil },
        Tampering("crit", .malformed(.criticalExtension)) { $0.header["crit"] = ["exp"] },
        Tampering("no jwk", .keyNotNamed) { $0.header["jwk"] = nil },
        Tampering("a kid beside the jwk", .keyNotNamed) { $0.header["kid"] = KeyID.random().rawValue },
        Tampering("jwk of another key", .wrongKey) { draft in
            draft.header["jwk"] = try JSONSerialization.jsonObject(with: StrictJSON.encode(TestKey.newEC().jwk))
        },
        Tampering("signed by another key", .wrongSignature) { $0.signer = .newEC() },
        Tampering("signature shortened", .wrongSignature) { $0.finish = { String($0.dropLast(2)) } },
        Tampering("payload exchanged", .wrongSignature) { draft in
            draft.finish = { text in
                let parts = text.split(separator: ".")
                return "\(parts[0]).\(Base64URL.encode(Array(#"{"sub":"bob"}"#.utf8))).\(parts[2])"
            }
        },
        Tampering("iss of another app", .wrongIssuer) { $0.payload["iss"] = "other" },
        Tampering("sub of another user", .wrongSubject) { $0.payload["sub"] = "bob" },
        Tampering("aud of another relying party", .wrongAudience) { $0.payload["aud"] = "https://evil.example" },
        Tampering("aud with a slash", .malformed(.invalidClaims(.unexpectedShape(path: "aud")))) {
            $0.payload["aud"] = "https://login.example/"
        },
        Tampering("aud an array", .malformed(.invalidClaims(.unexpectedShape(path: "aud")))) {
            $0.payload["aud"] = ["https://login.example"]
        },
        Tampering("another challenge", .wrongChallenge) { $0.payload["challenge"] = Challenge.random().rawValue },
        Tampering("expired", .expired) { draft in
            draft.payload["iat"] = TestTime.current.secondsSince1970 - 600
            draft.payload["exp"] = TestTime.current.secondsSince1970 - 540
        },
        Tampering("iat in the future", .notYetValid) { draft in
            draft.payload["iat"] = TestTime.current.secondsSince1970 + 600
            draft.payload["exp"] = TestTime.current.secondsSince1970 + 660
        },
        Tampering("a life of 61 seconds", .lifeTooLong) {
            $0.payload["exp"] = TestTime.current.secondsSince1970 + 61
        },
        Tampering("exp before iat", .lifeTooLong) { $0.payload["exp"] = TestTime.current.secondsSince1970 - 1 },
        Tampering("iat a fraction", .malformed(.invalidClaims(.unexpectedShape(path: "iat")))) {
            $0.payload["iat"] = 1.5
        },
        Tampering("no exp", .malformed(.invalidClaims(.unexpectedShape(path: "exp")))) { $0.payload["exp"] = nil },
        Tampering("no jti", .malformed(.invalidClaims(.unexpectedShape(path: "jti")))) { $0.payload["jti"] = nil },
        Tampering("no dpop_jkt", .malformed(.invalidClaims(.unexpectedShape(path: "dpop_jkt")))) {
            $0.payload["dpop_jkt"] = nil
        },
        Tampering("the device key as possession key", .wrongKey) { $0.payload["dpop_jkt"] = try $0.signer.id.rawValue },
        Tampering("a fourth part", .malformed(.malformed)) { $0.finish = { $0 + ".AAAA" } },
        Tampering("no text at all", .malformed(.malformed)) { $0.finish = { _ in "" } },
        Tampering("20 KiB", .malformed(.tooLarge)) { $0.payload["more"] = String(repeating: "x", count: 20_000) },
    ]
}
