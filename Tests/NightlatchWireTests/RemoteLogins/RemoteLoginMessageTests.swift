import Foundation
import NightlatchWire
import Testing

@Suite("Messages about remote logins")
struct RemoteLoginMessageTests {
    private let login = "00112233445566778899aabbccddeeff"
    private let details =
        #"{"app":"Night Bank","client_id":"bank","expires_at":1800000180,"has_number":true,"requested_at":1800000000}"#

    @Test("Messages about remote logins have exactly the documented names")
    func names() throws {
        let details = try StrictJSON.decode(RemoteLoginDetails.self, from: Data(details.utf8))
        let id = try #require(RemoteLoginID(rawValue: login))
        let notice = RemoteLoginNotice(id: id, details: details)
        try expectSame(notice, #"{"details":\#(self.details),"id":"\#(login)"}"#)
        try expectSame(
            RemoteLoginNoticeList(logins: [notice], isLimitReached: true),
            #"{"limit_reached":true,"logins":[{"details":\#(self.details),"id":"\#(login)"}]}"#)
        try expectSame(
            RemoteLoginClaim(code: try #require(RemoteLoginCode(rawValue: "c2VhbGVk"))), #"{"code":"c2VhbGVk"}"#)
        try expectSame(RemoteLoginRequest(login: id), #"{"login":"\#(login)"}"#)
        for (state, word) in zip(
            RemoteLoginState.allCases,
            ["pending", "confirmed", "rejected", "number_wrong", "contested", "expired", "completed"])
        {
            try expectSame(
                RemoteLoginResult(login: id, state: state), #"{"login":"\#(login)","state":"\#(word)"}"#)
        }
    }

    @Test("A list with a login that a device could not show whole is refused")
    func strictList() throws {
        let unknown = details.replacing(#""has_number""#, with: #""country":"CH","has_number""#)
        let json = #"{"limit_reached":false,"logins":[{"details":\#(unknown),"id":"\#(login)"}]}"#
        #expect(throws: StrictJSONError.self) {
            try StrictJSON.decode(RemoteLoginNoticeList.self, from: Data(json.utf8))
        }
    }
}

@Suite("Codes of remote logins")
struct RemoteLoginCodeTests {
    private static let code = "Zz09-_c2VhbGVk"

    @Test(
        "A scanned code is read for its own relying party",
        arguments: ["https://login.example.com", "https://example.com:8443/tenant/a", "http://[::1]:8080"])
    func scanned(address: String) throws {
        let issuer = try #require(Issuer(rawValue: address))
        let code = try #require(RemoteLoginCode(scanned: address + "/login#" + Self.code, issuer: issuer))
        #expect(code.rawValue == Self.code)
        #expect(code.scannedText(at: issuer) == address + "/login#" + Self.code)
    }

    @Test(
        "A code of another relying party or of another form is refused",
        arguments: [
            "", code, "/login#" + code, "https://login.example.com", "https://login.example.com/login",
            "https://login.example.com/login#", "https://login.example.com#" + code,
            "https://login.example.com/login/#" + code, "https://login.example.com//login#" + code,
            "https://login.example.com/Login#" + code, "https://login.example.com/login?#" + code,
            "https://login.example.com/x/login#" + code, "https://login.example.com:443/login#" + code,
            "https://login.example.com./login#" + code, "https://login.example.com.evil.example/login#" + code,
            "https://login.example.com@evil.example/login#" + code, "https://evil.example/login#" + code,
            "https://evil.example/https://login.example.com/login#" + code, "HTTPS://login.example.com/login#" + code,
            "https://LOGIN.example.com/login#" + code, "http://login.example.com/login#" + code,
            " https://login.example.com/login#" + code, "https://login.example.com/login#" + code + "\n",
            "https://login.example.com/login#" + code + "#" + code, "https://login.example.com/login#" + code + "=",
            "https://login.example.com/login#%41", "https://login.example.com/login%23" + code,
            // The same to Swift as the right text, in other code points.
            "https://login.example.com/login#" + code + "\u{301}", "\u{FEFF}https://login.example.com/login#" + code,
        ])
    func foreign(text: String) throws {
        let issuer = try #require(Issuer(rawValue: "https://login.example.com"))
        #expect(RemoteLoginCode(scanned: text, issuer: issuer) == nil)
    }

    @Test("Random numbers have two digits, and each occurs about as often as any other")
    func numbers() {
        let counts = (0..<10_000).reduce(into: [:] as [String: Int]) { counts, _ in
            counts[RemoteLoginNumber.random().rawValue, default: 0] += 1
        }
        #expect(counts.keys.allSatisfy(RemoteLoginNumberRule.accepts) && counts.count == 100)
        // Each number is expected 100 times. Evenly drawn numbers leave these bounds once in 10^10 runs.
        #expect(counts.values.allSatisfy { (36...179).contains($0) }, "\(counts)")
    }
}
