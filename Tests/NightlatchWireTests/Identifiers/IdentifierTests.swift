import Crypto
import Foundation
import NightlatchWire
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    @Test("An identifier accepts its grammar and nothing else, from code and from JSON", arguments: grammars)
    func grammar(of kind: Grammar) {
        kind.accepted.forEach(kind.expectAccepted)
        kind.refused.forEach(kind.expectRefused)
    }

    private static let lettersAndDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    @Test(
        "An identifier accepts only its characters, at any position",
        arguments: [
            (ClientIDRule.accepts, lettersAndDigits + "._-", 40),
            (AccessTokenRule.accepts, lettersAndDigits + "-._~+/=", 40),
            (DPoPNonceRule.accepts, lettersAndDigits + "!#$%&'()*+,-./:;<=>?@[]^_`{|}~", 40),
            (ChallengeHandleRule.accepts, lettersAndDigits + "-_", 40),
            (DeviceIDRule.accepts, "0123456789abcdef", 32),
        ] as [(@Sendable (String) -> Bool, String, Int)])
    func characters(accepts: @Sendable (String) -> Bool, alphabet: String, count: Int) {
        let ascii = (UInt8(0)..<0x80).map { Character(Unicode.Scalar($0)) }
        for character in ascii + ["\u{80}", "é", "ÿ", "😀"] {
            for place in 0..<count {
                // With the right length in bytes, also for a character of several bytes.
                let rest = count - character.utf8.count - place
                guard rest >= 0 else { continue }
                let text = String(repeating: "a", count: place) + [character] + String(repeating: "a", count: rest)
                #expect(accepts(text) == alphabet.contains(character), "\(character.unicodeScalars) at \(place)")
            }
        }
    }

    @Test(
        "A device name contains no control character, at any position",
        arguments: ["\u{1F}", "\u{7F}", "\u{80}"] as [Character])
    func controls(character: Character) {
        for place in 0..<40 {
            let text = String(repeating: "a", count: place) + [character] + String(repeating: "a", count: 39 - place)
            #expect(!DeviceNameRule.accepts(text), "\(place)")
        }
    }

    static let grammars: [Grammar] = [
        Grammar(
            UserIDRule.self,
            accepted: [
                "a", "Zz09._-@:=,+", text(128), "anna@example.com", "uid=anna,ou=people",
                // User names of Auth0, of mail, of Active Directory and of other directories.
                "auth0|5f7c8ec7c33c6c004bbafe82", "o'brien@example.com", #"CORP\alice"#, "Anna Müller", "山田太郎", "..",
                "a/b", "-a",
                #"<b>"&'%41</b>"#, String(repeating: "😀", count: 128), "\u{212A}",
            ],
            refused: [
                "", text(129), String(repeating: "😀", count: 129), " a", "a ", " ", "a\n", "a\u{0}b", "a\u{7F}b",
                "a\u{85}b",
                // Other spaces look like the common one, and invisible characters make two users look alike.
                "a\u{A0}b", "a\u{3000}b", "a\u{200B}b", "a\u{200D}b", "a\u{AD}b", "a\u{FEFF}b", "a\u{FE0F}b",
                "a\u{2800}b",
                "a\u{E0041}b", "a\u{202E}b", "a\u{2028}b", "a\u{FFFE}b", "a\u{FFFC}b", "a\u{E000}b", "a\u{1D159}b",
            ]
        ),
        Grammar(
            ClientIDRule.self,
            accepted: ["a", "com.example.app", "A-Z_09", text(64), ClientID.default.rawValue],
            refused: ["", text(65), "a b", "a@b", "a/b", "ä", "a\u{0}"]
        ),
        Grammar(
            DeviceNameRule.self,
            accepted: [
                "Anna’s phone", "  x", "日本", "📱", "👍🏽", text(64), String(repeating: "é", count: 64), "a<b>&\"'",
                // A family and a flag consist of several characters; Persian and Marathi need the other joiner for
                // correct spelling.
                "👨‍👩‍👧", "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "گوشی\u{200C}ها", "र्\u{200D}य", "❤️", "دفتر הנייד",
                // A character of a later Unicode version, and a private one of a vendor.
                "a\u{378}", "\u{1FAFF}", "\u{F8FF}Phone", "\u{A0}x",
            ],
            refused: [
                "", text(65), "a\tb", "a\nb", "a\u{0}", "a\u{7F}", "a\u{85}", "a\u{1B}[2J",
                // Overrides, isolates and marks of direction, separators: a list must show the text as it was sent.
                "a\u{202E}b", "\u{202A}a", "a\u{202C}", "\u{2066}a\u{2069}", "\u{200E}a", "\u{200F}a", "\u{61C}a",
                "a\u{2028}b", "a\u{2029}b",
                // No visible character.
                " ", "   ", "\u{A0}\u{3000}\u{2003}", "\u{200D}", "\u{200C} \u{200B}", "\u{FEFF}", "\u{AD}", "\u{3164}",
                "\u{FE0F}", "\u{E0041}\u{E007F}", "\u{2060}", "\u{2800}", "\u{1D159}", "\u{FFFC}", "\u{E000}",
                "\u{10FFFD}",
                "\u{FFFE}", "\u{16FE4}",
                // Hidden inside: zero-width space, soft hyphen, tags, annotations, a filler.
                "a\u{200B}b", "a\u{AD}b", "a\u{E0041}b", "a\u{FFF9}b\u{FFFA}c\u{FFFB}", "a\u{3164}b", "a\u{FEFF}b",
                // Tags without a flag, and an invalid flag.
                "🏴x\u{E0067}\u{E0062}\u{E007F}", "🏴\u{E0078}\u{E0078}\u{E0078}\u{E0078}\u{E0078}\u{E007F}",
                // One character of more than 256 bytes.
                "a" + String(repeating: "\u{301}", count: 128),
            ]
        ),
        Grammar(
            TransactionIDRule.self,
            accepted: ["0123456789abcdef0123456789abcdef"],
            refused: [
                "", "0123456789abcdef0123456789abcde", "0123456789ABCDEF0123456789abcdef",
                String(repeating: "٠", count: 32),
            ]
        ),
        Grammar(
            MoneyAmountRule.self,
            accepted: ["0", "0.00", "7", "129.90", "0.0001", "999999999999999.9999"],
            refused: [
                "", ".", "1.", ".5", "-1", "+1", "01", "00", "00.1", "1e3", "1,50", "1.23456", "1.2.3", "1..2", "1 ",
                " 1", "1 000",
                "1000000000000000", "0x1", "١", "1.٥", "1.5\n", "NaN", "１",
            ]
        ),
        Grammar(
            CurrencyCodeRule.self, accepted: ["EUR", "JPY", "XXX"],
            refused: ["", "EU", "EURO", "eur", "E1R", "ЕUR", "€UR", "EUR "]
        ),
        Grammar(
            PayeeRule.self, accepted: ["x", "Bäckerei Müller & Söhne", "日本鉄道", text(140), #"a"b\c/d"#],
            refused: [
                "", " ", text(141), "a\nb", "a\u{202E}b", "\u{200D}", "a\u{0}",
                "a" + String(repeating: "\u{301}", count: 280),
            ]
        ),
        Grammar(
            LineLabelRule.self, accepted: ["Reference", text(40)], refused: ["", text(41), "a\tb", "\u{2066}a"]),
        Grammar(
            LineValueRule.self, accepted: ["Invoice 7", text(200)], refused: ["", text(201), "a\rb", "\u{2028}a"]),
        Grammar(
            RemoteLoginNumberRule.self, accepted: ["00", "07", "99"],
            refused: ["", "7", "007", "-7", "+7", " 7", "7 ", "0x", "٠٧", "７７", "7\n"]
        ),
        Grammar(
            RemoteLoginCodeRule.self, accepted: ["a", "Zz09-_", text(1024)],
            refused: ["", text(1025), "a=", "a+b", "a/b", "a.b", "a#b", "a b", "a\n", "ä", "a%41"]
        ),
        Grammar(
            RemoteLoginPlaceRule.self, accepted: ["192.0.2.7", "2001:db8::7", "Zürich", text(64)],
            refused: ["", " ", text(65), "a\nb", "a\u{202E}b", "a\u{200B}b"]
        ),
        Grammar(
            RemoteLoginMessageRule.self, accepted: ["W4SCT", text(140)],
            refused: ["", " ", text(141), "a\tb", "a\u{2066}b", "a\u{AD}b"]
        ),
        Grammar(
            IssuerRule.self,
            accepted: [
                "https://a", "https://login.example.com", "https://example.com:8443", "https://example.com/tenant/a",
                "https://192.0.2.1", "https://[2001:db8::1]:443", "http://127.0.0.1:8080", "http://localhost",
                "http://localhost:1/x", "http://[::1]:8080", "https://" + text(248),
            ],
            refused: [
                "", "https://", "https:a.example", "https:///a", "https://:8080", "a.example", "//a.example",
                "https://a.example/", "https://a.example/x/", "https://a.example?", "https://a.example?x",
                "https://a.example#", "https://a.example#x", "https://anna@a.example", "https://anna:x@a.example",
                "https://@a.example", "http://a.example", "http://127.0.0.2", "http://127.0.0.1.a.example",
                "http://localhost.a.example", "http://localhost@a.example", "http://localhost%2ea.example",
                "https://ex%61mple.com", "https://a.example/%41", "HTTPS://a.example", "ftp://a.example", "file:///a",
                "https://a.example:65536", "https://a.example:0", "https://a.example:x", "https://a b",
                "https://a.example\\x",
                "https://a<b>", "https://[::1", "https://ä.example", "https://a.example/\u{1}", " https://a.example",
                "https://a.example\n", "https://" + text(249),
            ]
        ),
        Grammar(
            ChallengeHandleRule.self,
            accepted: ["QQ", "-_-_", text(1024)],
            refused: ["", "Q", "QQ==", "QR", "a b ", "a.bc", text(1028)]
        ),
        Grammar(
            DeviceIDRule.self,
            accepted: ["0123456789abcdef0123456789abcdef"],
            refused: [
                "", String(repeating: "0", count: 31), String(repeating: "0", count: 33),
                "0123456789ABCDEF0123456789abcdef", "-123456789abcdef0123456789abcdef",
            ]
        ),
        Grammar(
            EvaluationProofRule.self, accepted: [text(128), String(repeating: "-_", count: 64)],
            refused: ["", text(127), text(129), text(124), text(132), text(127) + "=", text(127) + "+"]),
        binary(MessageIDRule.self), binary(ChallengeRule.self), binary(KeyIDRule.self),
        binary(PinGuessIDRule.self), point(BlindedElementRule.self),
        point(EvaluatedElementRule.self), point(PinPublicKeyRule.self),
        binary(AccessTokenHashRule.self), token(AccessTokenRule.self), token(BackendKeyRule.self),
        token(RefreshTokenRule.self),
    ]

    private static func text(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func binary(_ rule: (some BinaryIdentifierRule).Type) -> Grammar {
        let zero = Base64URL.encode([UInt8](repeating: 0, count: rule.byteCount))
        return Grammar(
            rule,
            accepted: [zero, Base64URL.encode([UInt8](repeating: 255, count: rule.byteCount))],
            refused: [
                "", String(zero.dropLast()), zero + "A", zero + "=", zero.dropLast() + "B", zero.dropLast() + "=",
                zero.dropLast() + "+", zero.dropLast() + " ", zero.dropLast() + "\u{391}",
                Base64URL.encode([UInt8](repeating: 0, count: rule.byteCount - 1)),
                Base64URL.encode([UInt8](repeating: 0, count: rule.byteCount + 1)),
            ]
        )
    }

    private static func point(_ rule: (some CurvePointRule).Type) -> Grammar {
        func text(_ first: UInt8, count: Int = 49) -> String {
            Base64URL.encode([first] + [UInt8](repeating: 7, count: count - 1))
        }
        return Grammar(
            rule,
            accepted: [text(2), text(3)],
            refused: [
                // The point at infinity, uncompressed and hybrid forms, the x alone.
                "AA", text(0), text(1), text(4), text(6), text(4, count: 97), text(2, count: 48), text(2, count: 50),
                "", text(2) + "=", String(text(2).dropLast()), text(2).dropLast() + "+",
            ]
        )
    }

    private static func token(_ rule: (some OpaqueTokenRule).Type) -> Grammar {
        Grammar(
            rule,
            accepted: ["a", "AZaz09-._~+/=", text(4096)],
            refused: ["", text(4097), "a b", "a\n", "a,b", "a\"b", "é", "a:b"]
        )
    }

    @Test("A device name refuses exactly the documented characters, among those in use and the tags")
    func deviceNameCharacters() {
        func scalars(_ isRefused: (String) -> Bool) -> Set<UInt32> {
            Set(
                (Array(UInt32(0)...0x1_FFFF) + Array(0xE_0000...0xE_0FFF)).compactMap(Unicode.Scalar.init)
                    .filter { isRefused("a\($0)b") }.map(\.value))
        }
        let controls = Array(UInt32(0)...0x1F) + Array(0x7F...0x9F)
        let directions = [0x61C, 0x200E, 0x200F] + Array(UInt32(0x202A)...0x202E) + Array(0x2066...0x2069)
        let firstVersion = Set(controls + directions + [0x2028, 0x2029])
        #expect(scalars { DeviceName.stored($0) == nil } == firstVersion)
        let hidden =
            [0xAD, 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B, 0x3164, 0xFEFF, 0xFFA0, 0x1D159]
            + Array(UInt32(0x2060)...0x206F) + Array(0xFDD0...0xFDEF) + Array(0xFFF0...0xFFFC)
            + Array(0x1BCA0...0x1BCA3) + Array(0x1D173...0x1D17A) + [0xFFFE, 0xFFFF, 0x1FFFE, 0x1FFFF]
        let tags = Array(UInt32(0xE0000)...0xE00FF) + Array(0xE01F0...0xE0FFF)
        #expect(scalars { DeviceName(rawValue: $0) == nil } == firstVersion.union(hidden + tags))
    }

    @Test(
        "Texts that an earlier version accepted are read from stores, and from nowhere else",
        arguments: ["a\u{200B}b", "a\u{E0041}b", "\u{2800}", "\u{FFFC}"])
    func stored(name: String) throws {
        #expect(DeviceName(rawValue: name) == nil)
        #expect(DeviceName.stored(name)?.rawValue == name)
        let bytes = Array(StrictJSON.encode([name]))
        #expect(try StrictJSON.read([Payee].self, from: bytes, isStored: true).map(\.rawValue) == [name])
        #expect(throws: MessageFault.self) { try StrictJSON.read([Payee].self, from: bytes) }
        #expect(DeviceName.stored("a\u{202E}b") == nil)
    }

    @Test("Identifiers are equal byte by byte, and not by canonical equivalence")
    func equality() throws {
        let composed = try #require(UserID(rawValue: "Jos\u{E9}"))
        let decomposed = try #require(UserID(rawValue: "Jose\u{301}"))
        #expect(composed.rawValue == decomposed.rawValue, "Swift takes the texts for equal")
        let areEqual = composed == decomposed
        #expect(!areEqual)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(UserID(rawValue: "Jos\u{E9}") == composed)
        #expect(Set([composed, composed]).count == 1)
        // The same length in another order.
        #expect(UserID(rawValue: "a\u{323}\u{307}") != UserID(rawValue: "a\u{307}\u{323}"))
    }

    @Test("A binary identifier is exactly its bytes, and has no other length")
    func binaryIdentifiers() {
        func check<Rule: BinaryIdentifierRule>(_ rule: Rule.Type) {
            var generator = SeededGenerator(seed: 16)
            let bytes = generator.bytes(count: Rule.byteCount)
            #expect(Identifier<Rule>(bytes: bytes)?.bytes == bytes)
            #expect(Identifier<Rule>(bytes: bytes).flatMap { Identifier<Rule>(rawValue: $0.rawValue) }?.bytes == bytes)
            #expect(Identifier<Rule>(bytes: bytes + [0]) == nil)
            #expect(Identifier<Rule>(bytes: bytes.dropLast()) == nil)
            #expect(Identifier<Rule>(bytes: []) == nil)
            let random = Set((0..<200).map { _ in Identifier<Rule>.random() })
            #expect(random.count == 200)
            #expect(random.allSatisfy { Identifier<Rule>(rawValue: $0.rawValue) == $0 })
        }
        check(MessageIDRule.self)
        check(ChallengeRule.self)
        check(KeyIDRule.self)
        check(AccessTokenHashRule.self)
    }

    @Test("Random device ids are unique and follow their grammar")
    func deviceIdentifiers() {
        let random = Set((0..<200).map { _ in DeviceID.random() })
        #expect(random.count == 200)
        #expect(random.allSatisfy { DeviceID(rawValue: $0.rawValue) == $0 })
    }

    @Test("An access token hash is SHA-256 over the token's ASCII text")
    func accessTokenHash() throws {
        // The example of RFC 9449, section 7.1: the token and the `ath` of its proof.
        let token = try #require(AccessToken(rawValue: "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"))
        #expect(AccessTokenHash(of: token).rawValue == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
    }

    @Test("An issuer's URL is a path below the issuer and never on another host")
    func issuerPaths() throws {
        let issuer = try #require(Issuer(rawValue: "https://login.example.com"))
        #expect(issuer.url(path: "/oauth/token")?.absoluteString == "https://login.example.com/oauth/token")
        for path in ["", "oauth", ".evil.example/x", "@evil.example", ":1234/x", "/a b", "/a\\b"] {
            #expect(issuer.url(path: path) == nil, "\(path)")
        }
    }
}
