import Crypto
import Foundation
import NightlatchWire
import Testing

@Suite("Compact JWS")
struct CompactJWSTests {
    @Test("The message of RFC 7515, appendix A.3, has a valid signature, and is refused because it has no type")
    func rfc7515() throws {
        let parts = [
            "eyJhbGciOiJFUzI1NiJ9",
            "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ",
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
        ]
        let coordinates =
            try #require(Base64URL.decode(KeyVectors.rfc7515.x)) + #require(Base64URL.decode(KeyVectors.rfc7515.y))
        let key = try P256.Signing.PublicKey(
            rawRepresentation: #require(ECPublicJWK(coordinates: coordinates)).coordinates)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: #require(Base64URL.decode(parts[2])))
        #expect(key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
        #expect(throws: JWSError.invalidHeader(.unexpectedShape(path: "typ"))) {
            try CompactJWS(parts.joined(separator: "."))
        }
    }

    #if os(Linux) || os(macOS)
    @Test("A header for messages of another type is refused")
    func headerOfAnotherType() async {
        await #expect(processExitsWith: .failure) {
            let header = EncodedJWSHeader(JWSHeader(algorithm: .es256, type: .accessToken))
            _ = UnsignedJWS(try CompactJWSTests().login(), header: header)
        }
        await #expect(processExitsWith: .success) {
            let header = EncodedJWSHeader(JWSHeader(algorithm: .es256, type: .login))
            _ = UnsignedJWS(try CompactJWSTests().login(), header: header)
        }
    }
    #endif

    @Test("A message is read again as it was made, and its signature is over its signing input")
    func roundTrip() throws {
        let key = P256.Signing.PrivateKey()
        let jwk = PublicJWK.ec(try #require(ECPublicJWK(coordinates: [UInt8](key.publicKey.rawRepresentation))))
        let claims = try login()
        for (keyID, key_) in [(jwk.thumbprint, nil), (nil, jwk), (nil, nil)] {
            let message = UnsignedJWS(claims, algorithm: .es256, keyID: keyID, key: key_)
            let text = message.signed(try key.signature(for: message.signingInput).rawRepresentation)
            let read = try CompactJWS(text)
            #expect(read.text == text)
            #expect(read.header == JWSHeader(algorithm: .es256, type: .login, keyID: keyID, key: key_))
            #expect(read.signingInput == message.signingInput)
            let header = EncodedJWSHeader(read.header)
            #expect(UnsignedJWS(claims, header: header).signingInput == message.signingInput)
            #expect(try read.claims() == claims)
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: read.signature)
            #expect(key.publicKey.isValidSignature(signature, for: read.signingInput))
        }
    }

    @Test("A header names its type and its algorithm, and only the given key")
    func headerText() throws {
        let input = UnsignedJWS(try login(), algorithm: .rs512).signingInput
        let header = try #require(Base64URL.decode(String(decoding: input, as: UTF8.self).prefix { $0 != "." }))
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"RS512","typ":"nightlatch-login+jwt"}"#)
    }

    @Test("Unknown header parameters are ignored, even those that refer to a key elsewhere")
    func unknownParameters() throws {
        let header =
            #"{"alg":"ES256","typ":"dpop+jwt","jku":"https://evil.example","x5u":"a","b64":false,"x":{"a":[1]}}"#
        #expect(try CompactJWS(RawJWS(header: header).text).header == JWSHeader(algorithm: .es256, type: .dpop))
    }

    @Test(
        "A header of another form is refused",
        arguments: [
            #"{"alg":"none","typ":"nightlatch-login+jwt"}"#, #"{"alg":"None","typ":"nightlatch-login+jwt"}"#,
            #"{"alg":"HS256","typ":"nightlatch-login+jwt"}"#, #"{"alg":"ES384","typ":"nightlatch-login+jwt"}"#,
            #"{"alg":"PS256","typ":"nightlatch-login+jwt"}"#, #"{"alg":"es256","typ":"nightlatch-login+jwt"}"#,
            #"{"alg":"","typ":"nightlatch-login+jwt"}"#, #"{"alg":null,"typ":"nightlatch-login+jwt"}"#,
            #"{"alg":["ES256"],"typ":"nightlatch-login+jwt"}"#, #"{"typ":"nightlatch-login+jwt"}"#,
            #"{"ALG":"ES256","typ":"nightlatch-login+jwt"}"#, #"{"alg":"ES256"}"#, #"{"alg":"ES256","typ":null}"#,
            #"{"alg":"ES256","typ":"JOSE"}"#, #"{"alg":"ES256","typ":"Nightlatch-login+jwt"}"#,
            #"{"alg":"ES256","typ":"application/nightlatch-login+jwt"}"#, #"{"alg":"ES256","typ":""}"#,
            #"{"alg":"ES256","typ":"dpop+jwt","kid":"a"}"#, #"{"alg":"ES256","typ":"dpop+jwt","kid":1}"#,
            #"{"alg":"ES256","typ":"dpop+jwt","jwk":"a"}"#, #"{"alg":"ES256","typ":"dpop+jwt","jwk":{}}"#,
            #"{"alg":"ES256","typ":"dpop+jwt","jwk":{"kty":"oct","k":"AA"}}"#, #"["ES256","dpop+jwt"]"#, #""ES256""#,
            "null",
        ]
    )
    func headers(header: String) {
        #expect {
            try CompactJWS(RawJWS(header: header).text)
        } throws: { error in
            if case .invalidHeader(.unexpectedShape) = error as? JWSError { true } else { false }
        }
    }

    @Test(
        "A header with crit is refused, whatever it lists",
        arguments: ["[]", "null", #"["b64"]"#, #"["exp"]"#, #"["alg"]"#, #""""#, "0", "false", "{}"]
    )
    func criticalExtensions(value: String) {
        for header in [
            #"{"alg":"ES256","typ":"nightlatch-login+jwt","crit":\#(value)}"#,
            #"{"cri\u0074":\#(value),"alg":"ES256","typ":"nightlatch-login+jwt"}"#,
            #"{"crit":\#(value)}"#,
        ] {
            #expect(throws: JWSError.criticalExtension) { try CompactJWS(RawJWS(header: header).text) }
        }
    }

    @Test("A duplicate header member is refused before the header is used")
    func duplicateHeaderMembers() {
        for (header, name) in [
            (#"{"alg":"ES256","alg":"ES256","typ":"dpop+jwt"}"#, "alg"),
            (#"{"alg":"none","typ":"dpop+jwt","\u0061lg":"ES256"}"#, "alg"),
            (#"{"alg":"ES256","typ":"dpop+jwt","typ":"at+jwt"}"#, "typ"),
            (#"{"alg":"ES256","typ":"dpop+jwt","x":{"y":1,"y":1}}"#, "y"),
            (#"{"alg":"ES256","typ":"dpop+jwt","crit":1,"crit":1}"#, "crit"),
        ] {
            #expect(throws: JWSError.invalidHeader(.duplicateMember(name))) {
                try CompactJWS(RawJWS(header: header).text)
            }
        }
    }

    @Test("A header that is not JSON, not UTF-8 or too deep is refused")
    func brokenHeaders() {
        for header in [
            "", " ", "{", #"{"alg":"ES256","typ":"dpop+jwt"}x"#, #"{"alg":"ES256","typ":"dpop+jwt",}"#, "\u{FEFF}{}",
        ] {
            #expect {
                try CompactJWS(RawJWS(header: header).text)
            } throws: { error in
                if case .invalidHeader(.malformed) = error as? JWSError { true } else { false }
            }
        }
        let deep = #"{"alg":"ES256","typ":"dpop+jwt","x":"# + String(repeating: "[", count: 8) + "}"
        #expect(throws: JWSError.invalidHeader(.tooDeep)) { try CompactJWS(RawJWS(header: deep).text) }
    }

    @Test("A text that is not three parts in base64url is refused")
    func parts() {
        let good = RawJWS().text
        let parts = good.split(separator: ".").map(String.init)
        let (header, payload, signature) = (parts[0], parts[1], parts[2])
        for text in [
            "", ".", "..", "...", header, "\(header).\(payload)", "\(header).\(payload).", "\(good).", ".\(good)",
            "\(good).\(signature)", "\(header)..\(payload).\(signature)", ".\(payload).\(signature)=", "\(good)=",
            "\(good) ",
            " \(good)", "\(good)\n", good.replacing(".", with: "\u{3002}"), "\(header)\u{301}.\(payload).\(signature)",
            "\(header).\u{301}\(payload).\(signature)", "\(header)=.\(payload).\(signature)", "Bearer \(good)",
            // 64 bytes leave four bits in the last character that must be zero.
            "\(header).\(payload).\(signature.dropLast())x", "\(header).\(payload).+/\(signature.dropFirst(2))",
            #"{"payload":"\#(payload)","signatures":[]}"#,
        ] {
            #expect(throws: JWSError.malformed, "\(text)") { try CompactJWS(text) }
        }
        #expect(throws: Never.self) { try CompactJWS(good) }
    }

    @Test("A message may have 16 KiB and no more")
    func size() throws {
        var raw = RawJWS()
        raw.signature = []
        let rest = CompactJWS.byteCountLimit - raw.text.utf8.count
        let longest = raw.text + String(repeating: "A", count: rest - rest % 4)
        #expect(throws: Never.self) { try CompactJWS(longest) }
        #expect(throws: JWSError.tooLarge) { try CompactJWS(longest + "AAAA") }
        #expect(throws: JWSError.tooLarge) { try CompactJWS(String(repeating: ".", count: 1_000_000)) }
    }

    @Test("A message returns no claims of another type", arguments: MessageType.allCases)
    func wrongType(type: MessageType) throws {
        let message = try CompactJWS(RawJWS(header: #"{"alg":"ES256","typ":"\#(type.rawValue)"}"#).text)
        func check<Claims: MessageClaims>(_ claims: Claims.Type) {
            guard Claims.messageType != type else { return }
            #expect(throws: JWSError.wrongType(type)) { try message.claims(claims) }
        }
        check(LoginClaims.self)
        check(BindingClaims.self)
        check(DPoPClaims.self)
        check(AccessTokenClaims.self)
        check(DecisionClaims.self)
        check(RemoteLoginClaims.self)
        check(PolicyClaims.self)
        check(PinClaims<PinInquiry>.self)
        check(PinClaims<PinOpening>.self)
        check(PinClaims<PinGuess>.self)
        check(PinClaims<PinProof>.self)
        check(PinClaims<PinPromotion>.self)
        check(PinClaims<PinCandidacy>.self)
        check(PinClaims<PinAbandonment>.self)
        #expect((try? message.claims(LoginClaims.self)) == (type == .login ? try login() : nil))
    }

    @Test(
        "A claim of another form is refused",
        arguments: [
            ("iss", nil), ("iss", "null"), ("iss", "1"), ("iss", #""a b""#), ("sub", nil), ("sub", #""""#),
            ("aud", nil), ("aud", #"["https://login.example.com"]"#), ("aud", "[]"), ("aud", #""nightlatch""#),
            ("aud", #""https://login.example.com/""#), ("jti", nil), ("jti", #""AAAAAAAAAAAAAAAAAAAAAB""#),
            ("iat", nil),
            ("iat", #""1700000000""#), ("iat", "1700000000.5"), ("iat", "-1"), ("iat", "253402300800"),
            ("iat", "9223372036854775808"), ("iat", "1e300"), ("iat", "1e999"), ("iat", "true"),
            ("iat", "[1700000000]"),
            ("exp", nil), ("exp", "null"), ("exp", "1700000060.25"), ("exp", "-1700000060"), ("exp", "1e18"),
            ("challenge", nil), ("challenge", #""AAAA""#), ("dpop_jkt", nil), ("dpop_jkt", #""""#),
        ] as [(String, String?)]
    )
    func claims(member: String, value: String?) throws {
        let message = try CompactJWS(RawJWS(payload: RawJWS.payload(member, value)).text)
        #expect {
            try message.claims(LoginClaims.self)
        } throws: { error in
            // Foundation gives no path for numbers that do not fit.
            if case .invalidClaims(.unexpectedShape(member)) = error as? JWSError { return true }
            return error as? JWSError == .invalidClaims(.unexpectedShape(path: "")) && value?.first?.isNumber == true
        }
    }

    @Test("A payload that is not an object, or has a duplicate claim, is refused when its claims are read")
    func payloads() throws {
        for (payload, error) in [
            ("", StrictJSONError.malformed(offset: 0)), ("[]", .unexpectedShape(path: "")),
            ("null", .unexpectedShape(path: "")),
            (RawJWS.loginPayload.dropLast() + #","sub":"bert"}"#, .duplicateMember("sub")),
            (RawJWS.loginPayload.dropLast() + #","\u0073ub":"bert"}"#, .duplicateMember("sub")),
            (RawJWS.loginPayload.dropLast() + #","x":[{"a":1,"a":1}]}"#, .duplicateMember("a")),
        ] {
            let message = try CompactJWS(RawJWS(payload: payload).text)
            #expect(throws: JWSError.invalidClaims(error)) { try message.claims(LoginClaims.self) }
        }
    }

    @Test("A damaged message is never misread: an accepted one has exactly its text")
    func damagedMessages() throws {
        var generator = SeededGenerator(seed: 7515)
        let alphabet = "ABCDabcd0189-_.="
        let key = P256.Signing.PrivateKey()
        let message = UnsignedJWS(try login(), algorithm: .es256, keyID: .random())
        let text = message.signed(try key.signature(for: message.signingInput).rawRepresentation)
        var accepted = 0
        for _ in 0..<6000 {
            let damaged = String(decoding: generator.mutate(Array(text.utf8), alphabet: alphabet), as: UTF8.self)
            guard let read = try? CompactJWS(damaged) else { continue }
            accepted += 1
            #expect(Array(read.text.utf8) == Array(damaged.utf8))
            guard damaged != text, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: read.signature)
            else { continue }
            #expect(!key.publicKey.isValidSignature(signature, for: read.signingInput))
        }
        #expect(accepted > 300)
    }

    @Test("Damaged JSON inside a message is never misread: accepted claims are those of the damaged JSON")
    func damagedPayloads() throws {
        var generator = SeededGenerator(seed: 7519)
        let header = Array(RawJWS().header.utf8)
        let payload = Array(RawJWS.loginPayload.utf8)
        var accepted = 0
        for round in 0..<6000 {
            var raw = [header, payload]
            raw[round % 2] = generator.mutate(raw[round % 2], alphabet: #"{}[]",:\u0123456789abcdeE+-. "#)
            guard let message = try? CompactJWS((raw + [[1]]).map(Base64URL.encode).joined(separator: ".")),
                let claims = try? message.claims(LoginClaims.self)
            else { continue }
            accepted += 1
            let members = try #require(try JSONSerialization.jsonObject(with: Data(raw[1])) as? [String: Any])
            #expect(members["sub"] as? String == claims.subject.rawValue)
            #expect(members["aud"] as? String == claims.audience.rawValue)
            #expect(members["jti"] as? String == claims.id.rawValue)
            #expect(members["iat"] as? Int == claims.issuedAt.secondsSince1970)
            #expect(members["exp"] as? Int == claims.expiresAt.secondsSince1970)
        }
        #expect(accepted > 300)
    }

    func login() throws -> LoginClaims {
        try StrictJSON.decode(LoginClaims.self, from: Data(RawJWS.loginPayload.utf8))
    }
}
