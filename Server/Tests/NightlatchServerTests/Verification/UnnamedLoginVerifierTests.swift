import CryptoExtras
import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Verification of a login that names no device")
struct UnnamedLoginVerifierTests {
    private let challenge = Challenge.random()

    private func registered(_ devices: [TestDevice], client: ClientID = .default) throws -> [DeviceRecord] {
        try devices.map { device in
            DeviceRecord(
                id: .random(), user: try Fixture.alice(), client: client, key: try device.key.jwk,
                algorithm: device.algorithm,
                possessionKey: try device.possession.id, name: try Fixture.phone(), boundAt: TestTime.current)
        }
    }

    private func verify(
        by device: TestDevice,
        among known: [DeviceRecord],
        user: UserID? = nil,
        _ change: (inout Draft) throws -> Void = { _ in }
    ) throws -> VerifiedLogin {
        let issuer = try Fixture.issuer()
        var draft = try device.loginDraft(user: Fixture.alice(), challenge: challenge, to: issuer)
        draft.header["kid"] = nil
        try change(&draft)
        return try LoginVerifier(relyingParty: issuer).verify(
            try draft.text(), byOneOf: known, through: [.default],
            expecting: .init(user: user ?? Fixture.alice(), challenge: challenge), now: TestTime.current)
    }

    @Test("The device that signed is found without a key id, and with one", arguments: [true, false])
    func finds(namesKey: Bool) throws {
        var devices = (0..<6).map { _ in TestDevice() }
        devices[3].key = .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        devices[3].algorithm = .rs256
        let known = try registered(devices)
        for (device, registered) in zip(devices, known) {
            let verified = try verify(by: device, among: known) { draft in
                if namesKey { draft.header["kid"] = try device.key.id.rawValue }
            }
            #expect(verified.device == registered)
            #expect(verified.possessionKey == (try device.possession.id))
        }
    }

    @Test("A key is not tried for a message with another algorithm than its own", arguments: [true, false])
    func otherAlgorithm(namesKey: Bool) throws {
        var device = TestDevice()
        device.key = .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        device.algorithm = .rs256
        let known = try registered([device, TestDevice()])
        device.algorithm = .rs512
        #expect(throws: MessageRefusal.wrongSignature) {
            try verify(by: device, among: known) { draft in
                if namesKey { draft.header["kid"] = try device.key.id.rawValue }
            }
        }
    }

    @Test("No device, other devices and another device's key id get the same refusal")
    func refused() throws {
        let (device, others) = (TestDevice(), (0..<6).map { _ in TestDevice() })
        let known = try registered(others)
        #expect(throws: MessageRefusal.wrongSignature) { try verify(by: device, among: []) }
        #expect(throws: MessageRefusal.wrongSignature) { try verify(by: device, among: known) }
        #expect(throws: MessageRefusal.wrongSignature) {
            try verify(by: others[0], among: known) { $0.header["kid"] = try others[1].key.id.rawValue }
        }
        #expect(throws: MessageRefusal.wrongSignature) {
            try verify(by: others[0], among: known) { $0.header["kid"] = try device.key.id.rawValue }
        }
    }

    @Test(
        "For an unknown user as many keys are tried as for a user with a few devices",
        arguments: zip([0, 1, 4, 6], [4, 4, 4, 6]))
    func work(deviceCount: Int, keyCount: Int) throws {
        let devices = (0..<deviceCount).map { _ in TestDevice() }
        let known = try registered(devices)
        let verifier = LoginVerifier(relyingParty: try Fixture.issuer())
        let unnamed = verifier.keys(
            for: JWSHeader(algorithm: .es256, type: .login), signatureByteCount: 64, among: known)
        #expect(unnamed.count == keyCount)
        #expect(unnamed.compactMap(\.device) == known)
        let others = verifier.keys(
            for: JWSHeader(algorithm: .rs256, type: .login), signatureByteCount: 256, among: known)
        #expect(others.count == 4)
        for keyID in try [TestDevice().key.id] + devices.map({ try $0.key.id }) {
            let header = JWSHeader(algorithm: .es256, type: .login, keyID: keyID)
            #expect(verifier.keys(for: header, signatureByteCount: 64, among: known).count == 1)
        }
    }

    @Test(
        "The tried keys have the size of the signature, whatever keys the user has",
        arguments: [256, 384, 512], [nil, 2048, 3072, 4096])
    func sizes(byteCount: Int, bitCount: Int?) throws {
        var device = TestDevice()
        if let bitCount { device.key = .rsa(try _RSA.Signing.PrivateKey(keySize: .init(bitCount: bitCount))) }
        device.algorithm = .rs256
        let known = bitCount == nil ? [] : try registered([device])
        let verifier = LoginVerifier(relyingParty: try Fixture.issuer())
        let tried = verifier.keys(
            for: JWSHeader(algorithm: .rs256, type: .login), signatureByteCount: byteCount, among: known)
        #expect(tried.count == 4)
        for (key, _) in tried {
            guard case .rsa(let rsa) = key else { throw WrongKind() }
            #expect(rsa.modulus.count == byteCount)
        }
        #expect(tried.compactMap(\.device) == (bitCount == byteCount * 8 ? known : []))
    }

    private struct WrongKind: Error {}

    @Test("A message with one broken part is refused for that part", arguments: tamperings)
    func tampered(tampering: Tampering<MessageRefusal>) throws {
        let device = TestDevice()
        #expect(throws: tampering.refusal) {
            try verify(by: device, among: registered([TestDevice(), device]), tampering.apply)
        }
    }

    static let tamperings: [Tampering<MessageRefusal>] = [
        Tampering("a key in the header", .keyNotNamed) { draft in
            draft.header["jwk"] = try JSONSerialization.jsonObject(with: StrictJSON.encode(draft.signer.jwk))
        },
        Tampering("signed by another key", .wrongSignature) { $0.signer = .newEC() },
        Tampering("iss of another app", .wrongIssuer) { $0.payload["iss"] = "other" },
        Tampering("sub of another user", .wrongSubject) { $0.payload["sub"] = "bob" },
        Tampering("another challenge", .wrongChallenge) { $0.payload["challenge"] = Challenge.random().rawValue },
        Tampering("aud of another relying party", .wrongAudience) { $0.payload["aud"] = "https://evil.example" },
    ]

    @Test("Another user's device is refused")
    func otherUser() throws {
        let device = TestDevice()
        let known = try registered([device])
        #expect(throws: MessageRefusal.wrongSubject) { try verify(by: device, among: known, user: Fixture.bob()) }
    }
}
