import CryptoExtras
import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Verification of a login message against the bound key")
struct LoginVerifierTests {
    private let challenge = Challenge.random()

    private func registered(_ device: TestDevice, client: ClientID = .default) throws -> DeviceRecord {
        DeviceRecord(
            id: .random(), user: try Fixture.alice(), client: client, key: try device.key.jwk,
            algorithm: device.algorithm,
            possessionKey: try device.possession.id, name: try Fixture.phone(), boundAt: TestTime.current)
    }

    private func verify(
        by device: TestDevice,
        registered: DeviceRecord?,
        user: UserID? = nil,
        _ change: (inout Draft) throws -> Void = { _ in }
    ) throws -> VerifiedLogin {
        let issuer = try Fixture.issuer()
        var draft = try device.loginDraft(user: Fixture.alice(), challenge: challenge, to: issuer)
        try change(&draft)
        return try LoginVerifier(relyingParty: issuer).verify(
            try draft.text(), by: registered, through: [.default],
            expecting: .init(user: user ?? Fixture.alice(), challenge: challenge), now: TestTime.current)
    }

    @Test(
        "A valid message gives the device and its possession key, with any algorithm",
        arguments: SignatureAlgorithm.allCases)
    func good(algorithm: SignatureAlgorithm) throws {
        var device = TestDevice()
        device.algorithm = algorithm
        if algorithm != .es256 { device.key = .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048)) }
        let known = try registered(device)
        let verified = try verify(by: device, registered: known)
        #expect(verified.device == known)
        #expect(verified.possessionKey == (try device.possession.id))
    }

    @Test("An unknown device and a wrong signature get the same refusal")
    func unknownDevice() throws {
        let device = TestDevice()
        #expect(throws: MessageRefusal.wrongSignature) { try verify(by: device, registered: nil) }
        #expect(throws: MessageRefusal.wrongSignature) { try verify(by: device, registered: registered(TestDevice())) }
    }

    @Test(
        "For every algorithm and signature length there is a decoy key of this size",
        arguments: SignatureAlgorithm.allCases, [1, 64, 256, 257, 384, 512, 4096])
    func decoys(algorithm: SignatureAlgorithm, byteCount: Int) throws {
        let decoys = DecoyKeys()
        let key = try #require(decoys.key(for: algorithm, signatureByteCount: byteCount))
        #expect(key.algorithms.contains(algorithm))
        #expect(decoys.readKey(for: algorithm, signatureByteCount: byteCount) == key)
        #expect(decoys.key(for: algorithm, signatureByteCount: byteCount) == key)
        #expect(DecoyKeys().key(for: algorithm, signatureByteCount: byteCount) != key)
        if case .rsa(let rsa) = key { #expect(rsa.modulus.count == min(max(byteCount, 256), 512)) }
    }

    @Test(
        "A signature with another algorithm than the key's is refused, with and without a device",
        arguments: [true, false])
    func otherAlgorithm(isKnown: Bool) throws {
        let device = TestDevice()
        var signing = device
        signing.key = .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        signing.algorithm = .rs256
        #expect(throws: MessageRefusal.wrongSignature) {
            try verify(by: signing, registered: isKnown ? registered(device) : nil)
        }
    }

    @Test("A revoked device is verified like any other")
    func revoked() throws {
        let device = TestDevice()
        var known = try registered(device)
        known.revokedAt = TestTime.current
        #expect(try verify(by: device, registered: known).device.revokedAt != nil)
    }

    @Test("An app that did not bind the device is refused")
    func otherApp() throws {
        let device = TestDevice()
        let known = try registered(device, client: #require(ClientID(rawValue: "other")))
        #expect(throws: MessageRefusal.wrongIssuer) { try verify(by: device, registered: known) }
    }

    @Test("Another user's device is refused")
    func otherUser() throws {
        let device = TestDevice()
        let known = try registered(device)
        #expect(throws: MessageRefusal.wrongSubject) { try verify(by: device, registered: known, user: Fixture.bob()) }
    }

    @Test("A message with one broken part is refused for that part", arguments: tamperings)
    func tampered(tampering: Tampering<MessageRefusal>) throws {
        let device = TestDevice()
        #expect(throws: tampering.refusal) {
            try verify(by: device, registered: registered(device), tampering.apply)
        }
    }

    static let tamperings: [Tampering<MessageRefusal>] = [
        Tampering("alg none", .malformed(.invalidHeader(.unexpectedShape(path: "alg")))) { draft in
            draft.header["alg"] = "none"
            draft.algorithm = "ES256"
        },
        Tampering("alg HS256", .malformed(.invalidHeader(.unexpectedShape(path: "alg")))) {
            $0.header["alg"] = "HS256"
        },
        Tampering("alg RS256 with an EC key", .wrongSignature) { $0.header["alg"] = "RS256" },
        Tampering("typ of a binding", .malformed(.wrongType(.binding))) {
            $0.header["typ"] = MessageType.binding.rawValue
        },
        Tampering("crit", .malformed(.criticalExtension)) { $0.header["crit"] = [String]() },
        Tampering("no kid", .keyNotNamed) { $0.header["kid"] = nil },
        Tampering("kid of another key", .keyNotNamed) { $0.header["kid"] = KeyID.random().rawValue },
        Tampering("a jwk beside the kid", .keyNotNamed) { draft in
            draft.header["jwk"] = try JSONSerialization.jsonObject(with: StrictJSON.encode(draft.signer.jwk))
        },
        Tampering("a jwk of the sender's own", .wrongSignature) { draft in
            draft.signer = .newEC()
            draft.header["jwk"] = try JSONSerialization.jsonObject(with: StrictJSON.encode(draft.signer.jwk))
        },
        Tampering("signed by another key", .wrongSignature) { $0.signer = .newEC() },
        Tampering("iss of another app", .wrongIssuer) { $0.payload["iss"] = "other" },
        Tampering("sub of another user", .wrongSubject) { $0.payload["sub"] = "bob" },
        Tampering("aud of another relying party", .wrongAudience) { $0.payload["aud"] = "https://evil.example" },
        Tampering("aud an array", .malformed(.invalidClaims(.unexpectedShape(path: "aud")))) {
            $0.payload["aud"] = ["https://login.example"]
        },
        Tampering("the device key as possession key", .wrongKey) { $0.payload["dpop_jkt"] = try $0.signer.id.rawValue },
        Tampering("another challenge", .wrongChallenge) { $0.payload["challenge"] = Challenge.random().rawValue },
        Tampering("expired", .expired) { draft in
            draft.payload["iat"] = TestTime.current.secondsSince1970 - 600
            draft.payload["exp"] = TestTime.current.secondsSince1970 - 540
        },
        Tampering("iat in the future", .notYetValid) { draft in
            draft.payload["iat"] = TestTime.current.secondsSince1970 + 600
            draft.payload["exp"] = TestTime.current.secondsSince1970 + 660
        },
        Tampering("a life of an hour", .lifeTooLong) { $0.payload["exp"] = TestTime.current.secondsSince1970 + 3600 },
    ]
}
