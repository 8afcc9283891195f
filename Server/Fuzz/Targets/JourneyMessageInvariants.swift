import Crypto
import Foundation
import NightlatchFuzzReference
import NightlatchRelyingParty
import NightlatchTokenVerification
import NightlatchWire

/// Invariants of a journey's message.
///
/// - Its algorithm is allowed, it is not a message of another protocol, and it is read as written.
/// - A key is bound, or a signature accepted, if and only if the reference finds all conditions met.
enum JourneyMessageInvariants {
    private static let challenge = "AZrz80IwNkYoXMcmlEBZa29mRwwsGI/PkJb6xLRAZVo="
    private static let subject = "id=alice,ou=user,o=alpha,ou=services,ou=am-config"
    private static let application = "com.example.app"
    private static let expectation = JourneyClaims.Expectation(
        subject: subject, challenge: challenge, applications: [application], timeout: .seconds(60))
    private static let verifier = JourneySigningVerifier()
    private static let protocolClaims = ["sub", "iss", "challenge", "exp", "iat", "nbf"]

    /// The only bound key, under the id that the corpus uses.
    private static let device: JourneyDevice = {
        guard let id = JourneyKeyID(rawValue: "4B0C63B5"), let user = UserID(rawValue: "alice"),
            let key = ECPublicJWK(coordinates: Array(FuzzedMessage.key.publicKey.rawRepresentation)),
            let machine = MachineID(rawValue: "machine"), let name = DeviceName(rawValue: "Phone")
        else { preconditionFailure("no device") }
        let now = NumericDate(secondsSince1970: FuzzedMessage.now)
        return JourneyDevice(
            id: id, user: user, application: application, key: .ec(key), algorithm: .es256, machine: machine,
            name: name, boundAt: now, lastAccessAt: now)
    }()

    static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        let text = FuzzedMessage(input).text
        let now = NumericDate(secondsSince1970: FuzzedMessage.now)
        let binding = try? VerifiedJourneyBinding(text, expecting: expectation, now: now)
        guard let message = try? JourneyMessage(text) else {
            try require(binding == nil, "bound by what is no message")
            return false
        }
        try require(text.utf8.count <= CompactJWS.byteCountLimit, "too large")
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try require(parts.count == 3, "not of three parts")
        let header = try JWSInvariants.object(JWSInvariants.decode(parts[0]), "header")
        let payload = try JWSInvariants.object(JWSInvariants.decode(parts[1]), "payload")
        let signature = try JWSInvariants.decode(parts[2])
        try require(!signature.isEmpty && message.signature == signature, "not signed, or by another signature")
        try require(message.signingInput == Array((parts[0] + "." + parts[1]).utf8), "signed over something else")
        try checkHeader(message, header)
        try checkClaims(message.claims, payload)
        try checkBinding(binding, of: message, holds: holds(payload, message.claims))
        let signed = try? verifier.verify(message, by: [device]).claims(expecting: expectation, now: now)
        let isSigned =
            message.keyID == device.id && message.algorithm == .es256 && holds(payload, message.claims)
            && isSignature(message, by: FuzzedMessage.key.publicKey)
        try require((signed != nil) == isSigned, "\(signed == nil ? "refused" : "accepted") against the reference")
        return binding != nil
    }

    private static func checkHeader(
        _ message: JourneyMessage,
        _ header: JSONObjectReference
    ) throws(FuzzFinding) {
        try require(!header.contains("crit"), "an extension that must be understood")
        let algorithm = try unwrap(header.text("alg"), "no algorithm")
        try require(
            JWSInvariants.algorithms.contains(algorithm) && message.algorithm.rawValue == algorithm,
            "the algorithm \(algorithm)")
        if header.contains("typ"), !header.isNull("typ") {
            try require(["jws", "jwt"].contains(header.text("typ")?.lowercased()), "another kind of message")
        }
        let name = try unwrap(header.text("kid"), "no name of a key")
        try require(message.keyID.rawValue.utf8.elementsEqual(name.utf8), "another key's name")
        try require(
            (1...128).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) },
            "a name that cannot be shown")
        let members = header.object("jwk")
        try require((message.key == nil) == (members == nil), "a key that was left out or made up")
        guard let key = message.key, let members else { return }
        try JWKInvariants.check(key.key, members)
        try require(
            key.keyID?.rawValue == members.text("kid") && key.algorithm?.rawValue == members.text("alg")
                && key.use == members.text("use") && key.operations == members.texts("key_ops"),
            "a key that says something else of itself")
    }

    private static func checkClaims(_ claims: JourneyClaims, _ payload: JSONObjectReference) throws(FuzzFinding) {
        if payload.tokens("sub") == nil || payload.isNull("sub") {
            try require(claims.subject.isEmpty, "a subject that nobody wrote")
        } else {
            try require(payload.text("sub")?.utf8.elementsEqual(claims.subject.utf8) == true, "another sub")
        }
        for (read, name) in [(claims.issuer, "iss"), (claims.challenge, "challenge")] {
            try require(payload.text(name)?.utf8.elementsEqual(read.utf8) == true, "another \(name)")
        }
        for (read, name) in [(claims.expiresAt, "exp"), (claims.issuedAt, "iat"), (claims.notBefore, "nbf")] {
            try require(read?.secondsSince1970 == payload.second(name), "another \(name)")
        }
        let names = payload.names.filter { !protocolClaims.contains($0) }
        try require(
            (claims.custom + claims.descriptions).map(\.name).sorted() == names.sorted(),
            "other claims than stand there")
        try require(
            claims.descriptions.allSatisfy { ["platform", "android-version"].contains($0.name) },
            "a claim of the app's left out")
        for claim in claims.custom + claims.descriptions {
            let read = JSONReference(Array(claim.value.bytes))
            try require(read?.tokens == payload.tokens(claim.name), "another \(claim.name)")
        }
    }

    /// Whether the claims have the expected values and are valid at the time of the test.
    private static func holds(_ payload: JSONObjectReference, _ claims: JourneyClaims) -> Bool {
        guard let expiry = payload.second("exp") else { return false }
        func isExpected(_ name: String, _ text: String) -> Bool {
            payload.text(name)?.utf8.elementsEqual(text.utf8) == true
        }
        let now = FuzzedMessage.now
        return isExpected("sub", subject) && isExpected("iss", application) && isExpected("challenge", challenge)
            && expiry > now - 30 && expiry <= now + 60 + 60
            && ["iat", "nbf"].allSatisfy { payload.second($0).map { $0 <= now + 30 } ?? true }
            && JSONValue.object(claims.custom).bytes.count <= 4096
            && JSONValue.object(claims.descriptions).bytes.count <= 256
    }

    private static func checkBinding(
        _ binding: VerifiedJourneyBinding?,
        of message: JourneyMessage,
        holds: Bool
    ) throws(FuzzFinding) {
        let agrees =
            [nil, message.keyID].contains(message.key?.keyID)
            && [nil, message.algorithm].contains(message.key?.algorithm)
            && [nil, "sig"].contains(message.key?.use)
            && message.key?.operations.map { $0.contains("verify") } ?? true
        let isGood: Bool
        switch message.key?.key {
        case .ec(let point):
            isGood =
                holds && agrees && message.algorithm == .es256 && isSignature(message, by: point.verificationKey)
        case .rsa(let key):
            isGood =
                holds && agrees
                && RSAReference(modulus: key.modulus, exponent: key.exponent).isSignature(
                    message.signature, of: Data(message.signingInput), by: message.algorithm.rawValue)
        case nil: isGood = false
        }
        try require((binding != nil) == isGood, "\(binding == nil ? "refused" : "bound") against the reference")
        guard let binding else { return }
        try require(
            binding.key == message.key?.key && binding.id == message.keyID && binding.application == application,
            "bound another key")
    }

    private static func isSignature(_ message: JourneyMessage, by key: P256.Signing.PublicKey) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: message.signature) else {
            return false
        }
        return key.isValidSignature(signature, for: message.signingInput)
    }
}
