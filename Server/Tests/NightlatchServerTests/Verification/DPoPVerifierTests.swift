import Foundation
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("Verification of a DPoP proof as in RFC 9449, section 4.3")
struct DPoPVerifierTests {
    private static let url = "https://login.example/v1/devices"
    private let token = AccessToken(rawValue: "the-access-token")

    private func verify(
        by device: TestDevice = TestDevice(),
        _ change: (inout Draft) throws -> Void = { _ in },
        key: KeyID? = nil,
        proofs: ([String]) -> [String] = { $0 },
        nonces: DPoPNonces? = nil
    ) throws -> VerifiedDPoPProof {
        let token = try #require(token)
        var draft = try device.proofDraft(method: "GET", url: Self.url, token: token)
        let signer = try draft.signer.id
        try change(&draft)
        return try DPoPVerifier(server: Fixture.issuer(), nonces: nonces).verify(
            proofs([try draft.text()]),
            expecting: .init(method: "GET", path: "/v1/devices", accessToken: token, key: key ?? signer),
            now: TestTime.current)
    }

    @Test("A valid proof gives its key")
    func good() throws {
        let device = TestDevice()
        #expect(try verify(by: device).key == device.possession.id)
    }

    @Test(
        "A proof's id may be any text of 1 to 256 bytes",
        arguments: [
            "-BwC3ESc6acc2lTc", "e1j3V_bKic8-LAEB", "7a4e6f10-3d0c-4d7e-9c59-2a1a2f9bdc7e", "1", "é “quoted” ✓",
            String(repeating: "x", count: 256),
        ])
    func proofID(id: String) throws {
        _ = try verify { $0.payload["jti"] = id }
    }

    @Test("A key id beside the key is ignored")
    func keyID() throws {
        let device = TestDevice()
        for id in [KeyID.random(), try device.possession.id] {
            #expect(try verify(by: device) { $0.header["kid"] = id.rawValue }.key == device.possession.id)
        }
    }

    @Test("No proof and two proofs are refused")
    func count() throws {
        #expect(throws: DPoPRefusal.notExactlyOneProof) { try verify(proofs: { _ in [] }) }
        #expect(throws: DPoPRefusal.notExactlyOneProof) { try verify(proofs: { $0 + $0 }) }
        #expect(throws: DPoPRefusal.malformed(.malformed)) {
            try verify(proofs: { [$0.joined() + ", " + $0.joined()] })
        }
    }

    @Test("A proof by another key than the token's is refused")
    func otherKey() throws {
        #expect(throws: DPoPRefusal.wrongKey) { try verify(key: .random()) }
    }

    @Test(
        "An address may be written in several ways",
        arguments: [
            "https://login.example/v1/devices", "HTTPS://LOGIN.Example/v1/devices",
            "https://login.example:443/v1/devices", "https://login.example/v1/devices?page=2#top",
            "https://login.example/v1/%64evices", "https://login.example/%76%31%2fdevices".replacing("%2f", with: "/"),
        ])
    func sameAddress(url: String) throws {
        _ = try verify { $0.payload["htu"] = url }
    }

    @Test(
        "Another address is refused",
        arguments: [
            "http://login.example/v1/devices", "https://login.example:8443/v1/devices",
            "https://evil.example/v1/devices",
            "https://login.example/v1/devices/", "https://login.example/V1/devices", "/v1/devices", "",
            "https://login.example/v1%2Fdevices", "https://login.example/v1/device%73%",
            "https://login.example/v1/" + String(repeating: "%64", count: 3900),
            "https://user@login.example/v1/devices", "https://login.example/",
        ])
    func otherAddress(url: String) throws {
        #expect(throws: DPoPRefusal.wrongURL) { try verify { $0.payload["htu"] = url } }
    }

    @Test(
        "The time of a proof may differ by a minute, and no more",
        arguments: [(-60, true), (-61, false), (60, true), (61, false)])
    func time(seconds: Int, isAccepted: Bool) throws {
        func verifyShifted() throws {
            _ = try verify { $0.payload["iat"] = TestTime.current.secondsSince1970 + seconds }
        }
        if isAccepted {
            try verifyShifted()
        } else {
            #expect(throws: DPoPRefusal.wrongTime) { try verifyShifted() }
        }
    }

    @Test("A proof with one broken part is refused for that part", arguments: tamperings)
    func tampered(tampering: Tampering<DPoPRefusal>) throws {
        #expect(throws: tampering.refusal) { try verify(tampering.apply) }
    }

    static let tamperings: [Tampering<DPoPRefusal>] = [
        Tampering("alg none", .malformed(.invalidHeader(.unexpectedShape(path: "alg")))) { draft in
            draft.header["alg"] = "none"
            draft.algorithm = "ES256"
        },
        Tampering("alg HS256", .malformed(.invalidHeader(.unexpectedShape(path: "alg")))) {
            $0.header["alg"] = "HS256"
        },
        Tampering("alg of another kind of key", .wrongSignature) { $0.header["alg"] = "RS256" },
        Tampering("typ JWT", .malformed(.wrongType(.idToken))) { $0.header["typ"] = "JWT" },
        Tampering("typ of a login", .malformed(.wrongType(.login))) { $0.header["typ"] = MessageType.login.rawValue },
        Tampering("no jwk", .keyNotNamed) { $0.header["jwk"] = nil },
        Tampering("a kid in place of the jwk", .keyNotNamed) { draft in
            draft.header["jwk"] = nil
            draft.header["kid"] = try draft.signer.id.rawValue
        },
        Tampering("a private jwk", .malformed(.invalidHeader(.unexpectedShape(path: "jwk")))) { draft in
            guard var jwk = draft.header["jwk"] as? [String: Any] else { return }
            jwk["d"] = Base64URL.encode([UInt8](repeating: 1, count: 32))
            draft.header["jwk"] = jwk
        },
        Tampering("signed by another key", .wrongSignature) { $0.signer = .newEC() },
        Tampering("another method", .wrongMethod) { $0.payload["htm"] = "POST" },
        Tampering("the method in small letters", .wrongMethod) { $0.payload["htm"] = "get" },
        Tampering("no ath", .wrongAccessToken) { $0.payload["ath"] = nil },
        Tampering("ath of another token", .wrongAccessToken) { $0.payload["ath"] = KeyID.random().rawValue },
        Tampering("no jti", .malformed(.invalidClaims(.unexpectedShape(path: "jti")))) { $0.payload["jti"] = nil },
        Tampering("an empty jti", .malformed(.invalidClaims(.unexpectedShape(path: "jti")))) { $0.payload["jti"] = "" },
        Tampering("a jti of 257 bytes", .malformed(.invalidClaims(.unexpectedShape(path: "jti")))) {
            $0.payload["jti"] = String(repeating: "x", count: 257)
        },
        Tampering("a jti that is a number", .malformed(.invalidClaims(.unexpectedShape(path: "jti")))) {
            $0.payload["jti"] = 7
        },
        Tampering("no htu", .malformed(.invalidClaims(.unexpectedShape(path: "htu")))) { $0.payload["htu"] = nil },
        Tampering("no iat", .malformed(.invalidClaims(.unexpectedShape(path: "iat")))) { $0.payload["iat"] = nil },
    ]
}
