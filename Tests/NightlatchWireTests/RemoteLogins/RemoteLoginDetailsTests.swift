import Foundation
import NightlatchWire
import Testing

@Suite("Details of remote logins")
struct RemoteLoginDetailsTests {
    /// Members and their JSON, as another server may write them.
    private static let members = [
        ("client_id", #""night-bank""#), ("app", #""Bäckerei \"Nacht\"""#), ("place", #""2001:db8::7""#),
        ("message", #""W4SCT""#), ("has_number", "true"), ("requested_at", "1800000000"), ("expires_at", "1800000180"),
    ]

    private static func json(_ name: String? = nil, _ other: String? = nil, extra: String = "") -> String {
        let parts = members.compactMap { member in
            member.0 == name ? other.map { "\"\(member.0)\":\($0)" } : "\"\(member.0)\":\(member.1)"
        }
        return "{" + parts.joined(separator: ",") + extra + "}"
    }

    private static func read(_ json: String) throws -> RemoteLoginDetails {
        try StrictJSON.decode(RemoteLoginDetails.self, from: Data(json.utf8))
    }

    @Test("Details have one encoding, are read from it and from any other, and have the hash that Python computed")
    func canonical() throws {
        let details = try Self.read(Self.json())
        let expected = """
            {"app":"Bäckerei \\"Nacht\\"","client_id":"night-bank","expires_at":1800000180,"has_number":true,\
            "message":"W4SCT","place":"2001:db8::7","requested_at":1800000000}
            """
        #expect(String(decoding: details.canonicalBytes, as: UTF8.self) == expected)
        #expect(try Self.read(expected) == details)
        #expect(try StrictJSON.decode(RemoteLoginDetails.self, from: StrictJSON.encode(details)) == details)
        // By json and hashlib of Python.
        #expect(details.hash.rawValue == "p1PTDUaXdoWwFrcymkTIrgt3rYYmOokM7_WW74_SwRY")
    }

    @Test("Optional members are absent from the encoding and from the hash")
    func optional() throws {
        let details = RemoteLoginDetails(
            client: try #require(ClientID(rawValue: "night-bank")),
            app: try #require(AppName(rawValue: #"Bäckerei "Nacht""#)), place: nil, message: nil, hasNumber: true,
            requestedAt: NumericDate(secondsSince1970: 1_800_000_000),
            expiresAt: NumericDate(secondsSince1970: 1_800_000_180))
        try expectSame(details, String(decoding: details.canonicalBytes, as: UTF8.self))
        // By json and hashlib of Python.
        #expect(details.hash.rawValue == "gWBnxR0-xnF8PjBZ_kyhwwatvPKGZ5daDaBChz1_rJ8")
    }

    #if os(Linux) || os(macOS)
    @Test("Python computes the same hash of the details", arguments: [nil, "place", "message"])
    func oracle(missing: String?) throws {
        let json = Self.json(missing)
        let hash = try Self.read(json).hash.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(try PythonOracle().canonicalHashes("[" + json + "]") == [hash])
    }
    #endif

    @Test(
        "A change of any member changes the hash",
        arguments: [
            ("client_id", #""night-shop""#), ("app", #""Bäckerei Nacht""#),
            // The same to the user and to Swift, in another encoding.
            ("app", #""Ba\u0308ckerei \"Nacht\"""#),
            ("place", #""2001:db8::8""#), ("place", nil), ("message", #""W4SCU""#), ("message", nil),
            ("has_number", "false"), ("requested_at", "1800000001"), ("expires_at", "1800000181"),
        ] as [(String, String?)])
    func changed(name: String, value: String?) throws {
        #expect(try Self.read(Self.json(name, value)).hash != Self.read(Self.json()).hash)
    }

    @Test("A text moved from one member to another changes the hash")
    func moved() throws {
        let place = #"{"client_id":"a","app":"b","place":"c","has_number":false,"requested_at":1,"expires_at":2}"#
        let message = place.replacing(#""place""#, with: #""message""#)
        #expect(try Self.read(place).hash != Self.read(message).hash)
    }

    @Test(
        "A missing, malformed or unknown member is refused, because it would not be shown",
        arguments: [
            json("client_id"), json("app"), json("has_number"), json("requested_at"), json("expires_at"),
            json("client_id", #""a b""#), json("client_id", "null"), json("app", #""""#), json("app", #""a\u200bb""#),
            json("app", "1"), json("place", "null"), json("place", #""""#), json("place", #""a\u202eb""#),
            json("message", "null"), json("message", #"" ""#), json("message", "[]"), json("has_number", "1"),
            json("has_number", #""true""#), json("has_number", "null"), json("requested_at", "1.5"),
            json("requested_at", "-1"), json("expires_at", #""1800000180""#), json("expires_at", "253402300800"),
            json(extra: #","country":"CH""#), json(extra: #","place":"x""#), json(extra: #","Place":"x""#), "[]", "{}",
            "null",
        ])
    func refused(json: String) {
        #expect(throws: StrictJSONError.self) { try Self.read(json) }
    }
}
