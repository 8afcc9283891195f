import Foundation
import NightlatchWire
import Testing

@Suite("Transaction details")
struct TransactionDetailsTests {
    /// Members and their JSON, as a backend writes them.
    private static let members = [
        ("amount", #""129.90""#), ("currency", #""EUR""#), ("payee", #""Bäckerei \"Müller\" & Söhne""#),
        ("lines", #"[{"label":"Reference","value":"Invoice 7"},{"label":"From","value":"DE02 1203"}]"#),
        ("expires_at", "1800000600"),
    ]

    private static func json(_ name: String? = nil, _ other: String? = nil, extra: String = "") -> String {
        let parts = members.compactMap { member in
            member.0 == name ? other.map { "\"\(member.0)\":\($0)" } : "\"\(member.0)\":\(member.1)"
        }
        return "{" + parts.joined(separator: ",") + extra + "}"
    }

    private static func read(_ json: String) throws -> TransactionDetails {
        try StrictJSON.decode(TransactionDetails.self, from: Data(json.utf8))
    }

    @Test("Details have one encoding, and are read from it and from any other")
    func canonical() throws {
        let details = try Self.read(Self.json())
        let expected = """
            {"amount":"129.90","currency":"EUR","expires_at":1800000600,"lines":[{"label":"Reference","value":"Invoice 7"},\
            {"label":"From","value":"DE02 1203"}],"payee":"Bäckerei \\"Müller\\" & Söhne"}
            """
        #expect(String(decoding: details.canonicalBytes, as: UTF8.self) == expected)
        #expect(try Self.read(expected) == details)
        #expect(try StrictJSON.decode(TransactionDetails.self, from: StrictJSON.encode(details)) == details)
    }

    #if os(Linux) || os(macOS)
    @Test("Python computes the same hash of the details")
    func oracle() throws {
        let details = try Self.read(Self.json())
        let expected = try PythonOracle().canonicalHashes("[" + Self.json() + "]")
        let hash = details.hash.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect([hash] == expected)
    }
    #endif

    @Test(
        "A change of any member changes the hash",
        arguments: [
            ("amount", #""129.9""#), ("amount", #""129.91""#), ("currency", #""USD""#),
            ("payee", #""Bäckerei \"Müller\" & Sohne""#),
            // The same to the user and to Swift, in another encoding.
            ("payee", #""Ba\u0308ckerei \"Müller\" & Söhne""#),
            ("lines", "[]"), ("lines", #"[{"label":"Reference","value":"Invoice 7"}]"#),
            ("lines", #"[{"label":"From","value":"DE02 1203"},{"label":"Reference","value":"Invoice 7"}]"#),
            ("lines", #"[{"label":"Referenc","value":"eInvoice 7"},{"label":"From","value":"DE02 1203"}]"#),
            ("lines", #"[{"label":"Reference","value":"Invoice 8"},{"label":"From","value":"DE02 1203"}]"#),
            ("lines", #"[{"label":"Reference","value":"Invoice 7"},{"label":"To","value":"DE02 1203"}]"#),
            ("expires_at", "1800000601"),
        ])
    func changed(name: String, value: String) throws {
        #expect(try Self.read(Self.json(name, value)).hash != Self.read(Self.json()).hash)
    }

    @Test(
        "A missing, malformed or unknown member is refused, because it would not be shown",
        arguments: [
            json("amount"), json("currency"), json("payee"), json("lines"), json("expires_at"),
            json("amount", "129.90"), json("amount", "null"), json("currency", #""eur""#), json("payee", #""""#),
            json("payee", #""a\u202eb""#), json("lines", "null"), json("lines", "{}"), json("lines", #"["a"]"#),
            json("lines", #"[{"label":"a"}]"#), json("lines", #"[{"label":"a","value":"b","link":"c"}]"#),
            json("lines", #"[{"label":"a","value":"b","value":"c"}]"#),
            json("lines", #"[{"label":"a","value":"b\n"}]"#),
            json("expires_at", "-1"), json("expires_at", "253402300800"), json("expires_at", "1.5"),
            json("expires_at", #""1800000600""#), json(extra: #","fee":"1.00""#), json(extra: #","amount":"1""#),
            json(extra: #","Amount":"1""#), "[]", "{}", "null",
        ])
    func refused(json: String) {
        #expect(throws: StrictJSONError.self) { try Self.read(json) }
    }

    @Test(
        "Details have at most 16 lines, 2048 bytes and an expiry in the years 1970 to 9999; the error names the limit")
    func limits() throws {
        func make(lines: Int, characters: Int, expiry: Int = 1_800_000_000) throws -> TransactionDetails {
            let value = try LineValue(validating: String(repeating: "x", count: characters))
            return try TransactionDetails(
                amount: MoneyAmount(validating: "1"), currency: CurrencyCode(validating: "EUR"),
                payee: Payee(validating: "b"),
                lines: .init(repeating: .init(label: LineLabel(validating: "a"), value: value), count: lines),
                expiresAt: NumericDate(secondsSince1970: expiry))
        }
        _ = try make(lines: 16, characters: 1)
        #expect(throws: TransactionDetailsError.tooManyLines(limit: 16)) { try make(lines: 17, characters: 1) }
        let empty = try make(lines: 10, characters: 100).canonicalBytes.count - 1000
        let room = TransactionDetails.byteCountLimit - empty
        #expect(try make(lines: 10, characters: room / 10).canonicalBytes.count > 2038)
        #expect(throws: TransactionDetailsError.tooLarge(byteCountLimit: 2048)) {
            try make(lines: 10, characters: room / 10 + 1)
        }
        for expiry in [-1, 253_402_300_800] {
            #expect(throws: TransactionDetailsError.expiryOutOfRange) {
                try make(lines: 1, characters: 1, expiry: expiry)
            }
        }
    }
}
