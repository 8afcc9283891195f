import CryptoExtras
import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Verification of a decision against the bound key")
struct DecisionVerifierTests {
    private static let transaction = TransactionID.random()
    private let challenge = Challenge.random()

    private func registered(_ device: TestDevice, client: ClientID = .default) throws -> DeviceRecord {
        DeviceRecord(
            id: .random(), user: try Fixture.alice(), client: client, key: try device.key.jwk,
            algorithm: device.algorithm,
            possessionKey: try device.possession.id, name: try Fixture.phone(), boundAt: TestTime.current)
    }

    private func verify(
        by device: TestDevice = TestDevice(),
        as registered: DeviceRecord? = nil,
        user: UserID? = nil,
        _ decision: TransactionDecision = .confirm,
        _ change: (inout Draft) throws -> Void = { _ in }
    ) throws -> VerifiedDecision<DecisionClaims> {
        let issuer = try Fixture.issuer()
        var draft = try device.decisionDraft(
            decision, on: Self.transaction, details: TestTransaction.details(), user: Fixture.alice(),
            challenge: challenge, to: issuer)
        try change(&draft)
        return try DecisionVerifier(relyingParty: issuer).verify(
            try draft.text(), by: try registered ?? self.registered(device), through: [.default],
            expecting: .init(
                user: user ?? Fixture.alice(), decided: Self.transaction, challenge: challenge),
            now: TestTime.current)
    }

    @Test("A valid message gives the decision and the hash", arguments: TransactionDecision.allCases)
    func good(decision: TransactionDecision) throws {
        let verified = try verify(decision)
        #expect(verified.claims.decision == decision)
        #expect(verified.claims.detailsHash == (try TestTransaction.details().hash))
    }

    @Test("RSA keys can decide too", arguments: [SignatureAlgorithm.rs256, .rs384, .rs512])
    func rsa(algorithm: SignatureAlgorithm) throws {
        var device = TestDevice()
        device.key = .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        device.algorithm = algorithm
        #expect(try verify(by: device).claims.decision == .confirm)
    }

    @Test("Another device's key, another user's device and another app are refused")
    func others() throws {
        let device = TestDevice()
        #expect(throws: MessageRefusal.wrongSignature) { try verify(by: device, as: registered(TestDevice())) }
        #expect(throws: MessageRefusal.wrongSubject) { try verify(user: Fixture.bob()) }
        let other = try registered(device, client: #require(ClientID(rawValue: "other")))
        #expect(throws: MessageRefusal.wrongIssuer) { try verify(by: device, as: other) }
    }

    @Test("A message with one broken part is refused for that part", arguments: tamperings)
    func tampered(tampering: Tampering<MessageRefusal>) throws {
        #expect(throws: tampering.refusal) { try verify(.confirm, tampering.apply) }
    }

    static let tamperings: [Tampering<MessageRefusal>] =
        MessageType.allCases.filter { $0 != .transaction }.map { type in
            Tampering("typ \(type.rawValue)", .malformed(.wrongType(type))) { $0.header["typ"] = type.rawValue }
        } + [
            Tampering("alg none", .malformed(.invalidHeader(.unexpectedShape(path: "alg")))) { draft in
                draft.header["alg"] = "none"
                draft.algorithm = "ES256"
            },
            Tampering("alg RS256 with an EC key", .wrongSignature) { $0.header["alg"] = "RS256" },
            Tampering("crit", .malformed(.criticalExtension)) { $0.header["crit"] = [String]() },
            Tampering("no kid", .keyNotNamed) { $0.header["kid"] = nil },
            Tampering("kid of another key", .keyNotNamed) { $0.header["kid"] = KeyID.random().rawValue },
            Tampering("a jwk beside the kid", .keyNotNamed) { draft in
                draft.header["jwk"] = try JSONSerialization.jsonObject(with: StrictJSON.encode(draft.signer.jwk))
            },
            Tampering("signed by another key", .wrongSignature) { $0.signer = .newEC() },
            Tampering("changed after it was signed", .wrongSignature) { draft in
                draft.finish = { text in
                    let parts = text.split(separator: ".").map(String.init)
                    let payload = String(decoding: Base64URL.decode(parts[1]) ?? [], as: UTF8.self)
                    return [
                        parts[0], Base64URL.encode(Data(payload.replacing("confirm", with: "reject").utf8)), parts[2],
                    ].joined(separator: ".")
                }
            },
            Tampering("iss of another app", .wrongIssuer) { $0.payload["iss"] = "other" },
            Tampering("sub of another user", .wrongSubject) { $0.payload["sub"] = "bob" },
            Tampering("aud of another relying party", .wrongAudience) { $0.payload["aud"] = "https://evil.example" },
            Tampering("aud an array", .malformed(.invalidClaims(.unexpectedShape(path: "aud")))) {
                $0.payload["aud"] = ["https://login.example"]
            },
            Tampering("another challenge", .wrongChallenge) { $0.payload["challenge"] = Challenge.random().rawValue },
            Tampering("another transaction", .wrongDecidedID) {
                $0.payload["transaction_id"] = TransactionID.random().rawValue
            },
            Tampering("no decision", .malformed(.invalidClaims(.unexpectedShape(path: "decision")))) {
                $0.payload["decision"] = nil
            },
            Tampering("an unknown decision", .malformed(.invalidClaims(.unexpectedShape(path: "decision")))) {
                $0.payload["decision"] = "Confirm"
            },
            Tampering("no hash", .malformed(.invalidClaims(.unexpectedShape(path: "details_hash")))) {
                $0.payload["details_hash"] = nil
            },
            Tampering("expired", .expired) { draft in
                draft.payload["iat"] = TestTime.current.secondsSince1970 - 600
                draft.payload["exp"] = TestTime.current.secondsSince1970 - 540
            },
            Tampering("iat in the future", .notYetValid) { draft in
                draft.payload["iat"] = TestTime.current.secondsSince1970 + 600
                draft.payload["exp"] = TestTime.current.secondsSince1970 + 660
            },
            Tampering("a life of an hour", .lifeTooLong) {
                $0.payload["exp"] = TestTime.current.secondsSince1970 + 3600
            },
        ]
}
