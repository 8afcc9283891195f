import Crypto
import Foundation
public import NightlatchWire

/// Checks that an accepted public key is valid.
///
/// The key is a point on P-256 or an RSA key of 2048 to 4096 bits. It has no private member. It has one encoding and
/// one thumbprint.
public enum JWKInvariants {
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    public static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        if let set = try? StrictJSON.decode(JWKSet.self, from: input) {
            for entry in set.keys {
                let written = StrictJSON.encode(entry)
                try check(entry.key, unwrap(JSONObjectReference(Array(written)), "a key that is no object"))
            }
            let written = StrictJSON.encode(set)
            let again = try unwrap(
                try? StrictJSON.decode(JWKSet.self, from: written), "a set that cannot be read again")
            try require(again == set, "a set that is another when read again")
        }
        let byItself = try? PublicJWK(json: input)
        guard let key = try? StrictJSON.decode(PublicJWK.self, from: input) else {
            try require(byItself == nil, "a key that is read by itself alone")
            return false
        }
        try require(byItself == key, "a key that is another when read by itself")
        try check(key, unwrap(JSONObjectReference(input), "a key that is no object"))
        let written = StrictJSON.encode(key)
        let again = try unwrap(try? StrictJSON.decode(PublicJWK.self, from: written), "a key that cannot be read again")
        try require(again == key, "a key that is another when read again")
        return true
    }

    /// - Parameters:
    ///   - key: The key that the decoder read.
    ///   - members: The JWK, as the reference reads it.
    public static func check(_ key: PublicJWK, _ members: JSONObjectReference) throws(FuzzFinding) {
        for name in privateMembers { try require(!members.contains(name), "the private member \(name)") }
        func bytes(_ name: String) throws(FuzzFinding) -> (text: String, bytes: [UInt8]) {
            let text = try unwrap(members.text(name), "no \(name)")
            return (text, try JWSInvariants.decode(text))
        }
        let required: String
        switch key {
        case .ec(let point):
            try require(members.text("kty") == "EC" && members.text("crv") == "P-256", "another kind of key")
            let (x, y) = (try bytes("x"), try bytes("y"))
            try require(x.bytes.count == 32 && y.bytes.count == 32, "coordinates of another length")
            let reference = try? P256.Signing.PublicKey(x963Representation: [4] + x.bytes + y.bytes)
            try require(reference != nil, "not a point on P-256")
            try require(
                point.coordinates == x.bytes + y.bytes
                    && point.verificationKey.rawRepresentation == Data(x.bytes + y.bytes), "another point")
            required = #"{"crv":"P-256","kty":"EC","x":"\#(x.text)","y":"\#(y.text)"}"#
        case .rsa(let rsa):
            try require(members.text("kty") == "RSA", "another kind of key")
            let (n, e) = (try bytes("n"), try bytes("e"))
            try require(rsa.modulus == n.bytes && rsa.exponent == e.bytes, "another key")
            // The first byte is not 0, so the number of bytes gives the number of bits to within eight.
            let bits = n.bytes.count * 8 - (n.bytes.first?.leadingZeroBitCount ?? 8)
            try require((2048...4096).contains(bits) && n.bytes.first != 0, "\(bits) bits")
            try require(n.bytes.last.map { $0 % 2 } == 1, "an even modulus")
            let exponent = e.bytes.reduce(0.0) { $0 * 256 + Double($1) }
            try require(
                exponent >= 65537 && exponent < 4_294_967_296 && e.bytes.first != 0 && e.bytes.last.map { $0 % 2 } == 1,
                "the exponent \(exponent)")
            required = #"{"e":"\#(e.text)","kty":"RSA","n":"\#(n.text)"}"#
        }
        let thumbprint = try JWSInvariants.decode(key.thumbprint.rawValue)
        try require(
            thumbprint == Array(SHA256.hash(data: Data(required.utf8))), "another thumbprint than RFC 7638 gives")
    }
}
