import Crypto
import Foundation
import NightlatchWire
import Testing

@Suite("JWK")
struct JWKTests {
    private static let x = KeyVectors.rfc7515.x
    private static let y = KeyVectors.rfc7515.y

    @Test("An RSA key has the thumbprint of RFC 7638, section 3.1, whatever its other members")
    func rsaThumbprint() throws {
        let key = try decode(
            #"{"kty":"RSA","n":"\#(KeyVectors.rsaModulus)","e":"AQAB","alg":"RS256","kid":"2011-04-29"}"#)
        #expect(key.thumbprint.rawValue == KeyVectors.rsaThumbprint)
        #expect(key.algorithms == [.rs256, .rs384, .rs512])
        #expect(text(key) == #"{"e":"AQAB","kty":"RSA","n":"\#(KeyVectors.rsaModulus)"}"#)
    }

    @Test("An EC key has the thumbprint that another implementation computes", arguments: KeyVectors.ec)
    func ecThumbprint(x: String, y: String, thumbprint: String) throws {
        let key = try decode(#"{"use":"sig","y":"\#(y)","x":"\#(x)","kty":"EC","crv":"P-256","kid":"a"}"#)
        #expect(key.thumbprint.rawValue == thumbprint)
        #expect(key.algorithms == [.es256])
        #expect(text(key) == #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#)
        #expect(try decode(text(key)) == key)
    }

    @Test("Any key on the curve is decoded again")
    func roundTrip() throws {
        for _ in 0..<50 {
            let coordinates = [UInt8](P256.Signing.PrivateKey().publicKey.rawRepresentation)
            let key = PublicJWK.ec(try #require(ECPublicJWK(coordinates: coordinates)))
            #expect(try decode(text(key)) == key)
        }
    }

    @Test("A JWK with any change is read alone as by StrictJSON: refused, or as the key that it contains")
    func changedText() throws {
        let text = Array(#"{"crv":"P-256","kty":"EC","x":"\#(Self.x)","y":"\#(Self.y)"}"#.utf8)
        for index in text.indices {
            for byte in Array(#" "A-,}"#.utf8) {
                var changed = text
                changed[index] = byte
                _ = try? decode(String(decoding: changed, as: UTF8.self))
                changed.remove(at: index)
                _ = try? decode(String(decoding: changed, as: UTF8.self))
            }
        }
    }

    @Test(
        "A JWK with a private member is refused, even with an empty one",
        arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k"], [#""AQAB""#, #""""#, "null", "[]", "1"]
    )
    func privateMembers(member: String, value: String) {
        expectRefused(#"{"kty":"EC","crv":"P-256","x":"\#(Self.x)","y":"\#(Self.y)","\#(member)":\#(value)}"#)
        expectRefused(#"{"kty":"RSA","n":"\#(KeyVectors.rsaModulus)","e":"AQAB","\#(member)":\#(value)}"#)
    }

    @Test(
        "A JWK without a point on P-256 is refused",
        arguments: [
            #"{"kty":"EC","crv":"P-384","x":"X","y":"Y"}"#, #"{"kty":"EC","crv":"secp256k1","x":"X","y":"Y"}"#,
            #"{"kty":"EC","crv":"p-256","x":"X","y":"Y"}"#, #"{"kty":"EC","x":"X","y":"Y"}"#,
            #"{"kty":"EC","crv":"P-256","x":"X"}"#, #"{"kty":"EC","crv":"P-256","y":"Y"}"#,
            #"{"kty":"EC","crv":"P-256","x":"X","y":null}"#, #"{"kty":"EC","crv":"P-256","x":"X","y":1}"#,
            #"{"kty":"EC","crv":"P-256","x":"Y","y":"X"}"#, #"{"kty":"EC","crv":"P-256","x":"X","y":"X"}"#,
            #"{"kty":"EC","crv":"P-256","x":"X=","y":"Y"}"#, #"{"kty":"EC","crv":"P-256","x":"","y":""}"#,
            #"{"kty":"ec","crv":"P-256","x":"X","y":"Y"}"#, #"{"kty":"OKP","crv":"Ed25519","x":"X"}"#,
            #"{"kty":"oct"}"#, #"{"crv":"P-256","x":"X","y":"Y"}"#, "{}", "[]", "null", #""EC""#,
        ]
    )
    func notOnCurve(document: String) {
        expectRefused(
            document.replacing(#""X"#, with: #""\#(Self.x)"#).replacing(#""Y"#, with: #""\#(Self.y)"#))
    }

    @Test("Coordinates of another length are refused, even if both together have the right one")
    func coordinateLengths() throws {
        let x = try #require(Base64URL.decode(Self.x))
        let y = try #require(Base64URL.decode(Self.y))
        for (x, y) in [
            (Array(x.dropLast()), y), (x, Array(y.dropLast())), ([0] + x, y), (x, [0] + y),
            (x + [y[0]], Array(y.dropFirst())),
            (Array(x.dropLast()), [x[31]] + y), ([4] + x, y), ([], x + y), (x + y, []),
        ] {
            expectRefused(
                #"{"kty":"EC","crv":"P-256","x":"\#(Base64URL.encode(x))","y":"\#(Base64URL.encode(y))"}"#)
        }
        #expect(ECPublicJWK(coordinates: [4] + x + y) == nil)
        #expect(ECPublicJWK(coordinates: x) == nil)
        #expect(ECPublicJWK(coordinates: []) == nil)
        #expect(ECPublicJWK(coordinates: [UInt8](repeating: 0, count: 64)) == nil)
        #expect(ECPublicJWK(coordinates: [UInt8](repeating: 255, count: 64)) == nil)
    }

    @Test("A point with one changed bit is off the curve and refused")
    func changedPoint() throws {
        let coordinates = try #require(Base64URL.decode(Self.x)) + #require(Base64URL.decode(Self.y))
        for bit in 0..<512 {
            var changed = coordinates
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(ECPublicJWK(coordinates: changed) == nil)
        }
    }

    @Test("A coordinate that is not reduced by the field's prime is refused: a point has one encoding")
    func unreducedCoordinate() {
        // The point with X = 0. Its X can also be encoded as the prime itself.
        let y = "ZkhceA4vg9ckM71dhKBrtlQcKvMdrocXKL-FahdPk_Q"
        let zero = String(repeating: "A", count: 43)
        #expect((try? decode(#"{"kty":"EC","crv":"P-256","x":"\#(zero)","y":"\#(y)"}"#)) != nil)
        let prime = "_____wAAAAEAAAAAAAAAAAAAAAD_______________8"
        expectRefused(#"{"kty":"EC","crv":"P-256","x":"\#(prime)","y":"\#(y)"}"#)
    }

    @Test("An RSA key has an odd modulus of 2048 to 4096 bits, without leading zeros")
    func rsaModulus() {
        func key(bits: Int, last: UInt8 = 1, leading: [UInt8] = []) -> RSAPublicJWK? {
            var modulus = [UInt8](repeating: 0, count: (bits + 7) / 8)
            modulus[0] = 1 << ((bits - 1) % 8)
            modulus[modulus.count - 1] |= last
            return RSAPublicJWK(modulus: leading + modulus, exponent: [1, 0, 1])
        }
        for bits in [2048, 2049, 3072, 4095, 4096] {
            #expect(key(bits: bits) != nil)
            #expect(key(bits: bits, last: 2) == nil)
            #expect(key(bits: bits, leading: [0]) == nil)
        }
        for bits in [8, 512, 1024, 2040, 2047, 4097, 8192] { #expect(key(bits: bits) == nil) }
        #expect(RSAPublicJWK(modulus: [], exponent: [1, 0, 1]) == nil)
    }

    @Test(
        "An RSA key has an odd exponent from 65537 to 32 bits, without leading zeros",
        arguments: [
            ([1, 0, 1], true), ([1, 0, 3], true), ([255, 255, 255, 255], true), ([1, 0, 0, 1], true), ([], false),
            ([3], false), ([17], false), ([255, 255], false), ([1, 0, 0], false), ([1, 0, 2], false),
            ([0, 1, 0, 1], false),
            ([0, 255, 255], false), ([1, 0, 0, 0, 1], false), ([0, 0, 0], false),
        ] as [([UInt8], Bool)]
    )
    func rsaExponent(exponent: [UInt8], isAccepted: Bool) throws {
        let modulus = try #require(Base64URL.decode(KeyVectors.rsaModulus))
        #expect((RSAPublicJWK(modulus: modulus, exponent: exponent) != nil) == isAccepted)
        let document = #"{"kty":"RSA","n":"\#(KeyVectors.rsaModulus)","e":"\#(Base64URL.encode(exponent))"}"#
        #expect(((try? decode(document)) != nil) == isAccepted)
    }

    @Test("A key set names each key, its use and the one algorithm of an EC key")
    func keySet() throws {
        let (x, y, thumbprint) = KeyVectors.ec[0]
        let ec = try decode(#"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}"#)
        let rsa = try decode(#"{"kty":"RSA","n":"\#(KeyVectors.rsaModulus)","e":"AQAB"}"#)
        let expected = [
            #"{"alg":"ES256","crv":"P-256","kid":"\#(thumbprint)","kty":"EC","use":"sig","x":"\#(x)","y":"\#(y)"}"#,
            #"{"e":"AQAB","kid":"\#(KeyVectors.rsaThumbprint)","kty":"RSA","n":"\#(KeyVectors.rsaModulus)","use":"sig"}"#,
        ].joined(separator: ",")
        let set = JWKSet(keys: [ec, rsa])
        #expect(String(decoding: StrictJSON.encode(set), as: UTF8.self) == #"{"keys":[\#(expected)]}"#)
        #expect(try StrictJSON.decode(JWKSet.self, from: StrictJSON.encode(set)) == set)
        #expect(set.keys.map(\.key) == [ec, rsa])
    }

    @Test(
        "A key set skips unusable keys, and keeps the others",
        arguments: [
            #"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#, #"{"kty":"AKP","alg":"ML-DSA-65","pub":"AA"}"#, "{}", "null",
            "1",
            "[]", #""EC""#, #"{"kty":"EC","crv":"P-384","x":"X","y":"Y"}"#, #"{"kty":"EC","crv":"P-256","x":"X"}"#,
            #"{"kty":"EC","crv":"P-256","x":"X","y":"Y","d":"AA"}"#, #"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#,
        ])
    func keySetWithOthers(other: String) throws {
        let other = other.replacing(#""X"#, with: #""\#(Self.x)"#).replacing(#""Y"#, with: #""\#(Self.y)"#)
        let (x, y, _) = KeyVectors.ec[0]
        let first = try decode(#"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}"#)
        let second = try decode(#"{"kty":"RSA","n":"\#(KeyVectors.rsaModulus)","e":"AQAB"}"#)
        let document = #"{"keys":[\#(other),\#(text(first)),\#(other),\#(text(second)),\#(other)]}"#
        let set = try StrictJSON.decode(JWKSet.self, from: Data(document.utf8))
        #expect(set.keys.map(\.key) == [first, second])
        #expect(try StrictJSON.decode(JWKSet.self, from: Data(#"{"keys":[\#(other)]}"#.utf8)).keys.isEmpty)
    }

    @Test("A malformed key set is refused", arguments: ["{}", "[]", "null", #"{"keys":null}"#, #"{"keys":{}}"#])
    func noKeySet(document: String) {
        #expect {
            try StrictJSON.decode(JWKSet.self, from: Data(document.utf8))
        } throws: { error in
            if case .unexpectedShape = error as? StrictJSONError { true } else { false }
        }
    }

    /// Reads a key by `StrictJSON` and alone, and expects the same result.
    private func decode(_ document: String) throws -> PublicJWK {
        let byItself = Result { () throws(StrictJSONError) in try PublicJWK(json: Array(document.utf8)) }
        let byStrictJSON = Result { () throws(StrictJSONError) in
            try StrictJSON.decode(PublicJWK.self, from: Data(document.utf8))
        }
        #expect(byItself == byStrictJSON)
        return try byStrictJSON.get()
    }

    private func text(_ key: PublicJWK) -> String {
        String(decoding: StrictJSON.encode(key), as: UTF8.self)
    }

    private func expectRefused(_ document: String) {
        #expect("\(document)") {
            try decode(document)
        } throws: { error in
            if case .unexpectedShape = error as? StrictJSONError { true } else { false }
        }
    }
}
