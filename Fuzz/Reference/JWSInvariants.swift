public import Foundation
import NightlatchWire

/// Checks that an accepted signed message is well formed.
///
/// It has three parts in base64url. Its header names an allowed algorithm and no extension. Its claims are those of the
/// payload.
public enum JWSInvariants {
    public static let algorithms: Set<String> = ["ES256", "RS256", "RS384", "RS512"]

    /// - Parameter input: A message in compact form. If the input begins with a brace, it is header, payload and
    ///   signature as plain bytes with line feeds between them, so that the fuzzer can change the content below
    ///   base64url.
    public static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        let text =
            input.first == UInt8(ascii: "{")
            ? input.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
                .map { encode(Data($0)) }.joined(separator: ".")
            : String(decoding: input, as: UTF8.self)
        guard let message = try? CompactJWS(text) else { return false }
        try require(text.utf8.count <= CompactJWS.byteCountLimit, "too large")
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try require(parts.count == 3, "not of three parts")
        let (header, payload, signature) = (try decode(parts[0]), try decode(parts[1]), try decode(parts[2]))
        try require(message.text == text && Array(message.signature) == signature, "not as it came")
        try require(!signature.isEmpty, "not signed")
        try require(message.signingInput == Array((parts[0] + "." + parts[1]).utf8), "signed over something else")
        try checkHeader(message, header)
        try checkClaims(message, payload)
        return true
    }

    private static func checkHeader(_ message: CompactJWS, _ header: [UInt8]) throws(FuzzFinding) {
        let members = try object(header, "header")
        try require(!members.contains("crit"), "an extension that must be understood")
        let algorithm = try unwrap(members.text("alg"), "no algorithm")
        try require(algorithms.contains(algorithm), "the algorithm \(algorithm)")
        try require(message.header.algorithm.rawValue == algorithm, "another algorithm")
        try require(message.header.type.rawValue == members.text("typ"), "another type")
        try require(message.header.keyID?.rawValue == members.text("kid"), "another key's name")
        let key = members.object("jwk")
        try require((message.header.key == nil) == (key == nil), "a key that was left out or made up")
        if let key, let accepted = message.header.key { try JWKInvariants.check(accepted, key) }
    }

    private static func checkClaims(_ message: CompactJWS, _ payload: [UInt8]) throws(FuzzFinding) {
        let type = message.header.type
        try check(BindingClaims.self, message, payload, type == .binding)
        try check(LoginClaims.self, message, payload, type == .login)
        try check(DecisionClaims.self, message, payload, type == .transaction)
        try check(RemoteLoginClaims.self, message, payload, type == .remoteLogin)
        try check(DPoPClaims.self, message, payload, type == .dpop)
        try check(AccessTokenClaims.self, message, payload, type == .accessToken)
    }

    private static func check<Claims: MessageClaims>(
        _ kind: Claims.Type,
        _ message: CompactJWS,
        _ payload: [UInt8],
        _ isOfKind: Bool
    ) throws(FuzzFinding) {
        guard let claims = try? message.claims(kind) else { return }
        try require(isOfKind, "claims of another kind")
        _ = try object(payload, "payload")
        let written = StrictJSON.encode(claims)
        let again = try unwrap(try? StrictJSON.decode(kind, from: written), "claims that cannot be read again")
        try require(StrictJSON.encode(again) == written, "claims that are others when read again")
    }

    /// The JSON object of a part, as the reference reads it.
    public static func object(_ bytes: [UInt8], _ part: String) throws(FuzzFinding) -> JSONObjectReference {
        let reference = try unwrap(JSONReference(bytes), "a \(part) that is no JSON")
        try require(!reference.hasDuplicateNames, "a \(part) with two names alike")
        try require(reference.depth <= JSONLimits.message.depth, "a \(part) nested too deep")
        return try unwrap(JSONObjectReference(bytes), "a \(part) that is no object")
    }

    /// Decodes base64url by way of Foundation's Base64.
    public static func decode(_ text: String) throws(FuzzFinding) -> [UInt8] {
        let isPlain = text.utf8.allSatisfy { byte in
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8.contains(byte)
        }
        try require(isPlain, "not base64url: \(text)")
        let padded =
            text.replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let bytes = try unwrap(Data(base64Encoded: padded), "not base64url: \(text)")
        try require(encode(bytes) == text, "another way to write its bytes: \(text)")
        return Array(bytes)
    }

    public static func encode(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
