import Crypto
import Foundation
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The database of an OpenID provider")
struct OpenIDAtRestTests {
    @Test("The database contains codes and sessions only as hashes, and no token, before and after the exchange")
    func atRest() async throws {
        try await TemporaryFolder.with { folder in
            let store = try SQLiteStore(path: folder + "/store.sqlite", clock: TestTime.clock)
            try await OpenIDParty.with(over: store) { party in
                let phone = try await party.caller.newSession(of: Fixture.alice())
                var browser = LoginBrowser(party)
                let codes = [
                    try await party.code(),
                    try #require(try party.answered(await browser.logIn(phone))["code"]),
                ]
                let session = try #require(browser.cookies["__Host-nightlatch-session"])
                let secrets = codes + [session, try #require(browser.cookies["__Host-nightlatch-login"])]
                try expectAbsent(secrets, hashed: codes + [session], in: folder)
                let tokens = try await party.token(OpenIDParty.exchange(codes[0])).json()
                let texts = try ["access_token", "refresh_token", "id_token"].map(tokens.text)
                try expectAbsent(secrets + texts, hashed: [session], in: folder)
            }
            try store.close()
        }
    }

    /// The files contain none of the texts and not the bytes that they encode, but the hashes of `hashed`.
    private func expectAbsent(_ texts: [String], hashed: [String], in folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names.contains("store.sqlite") && names.contains("store.sqlite-wal"))
        let files = try names.map { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)) }
        for text in texts {
            var forms = [Data(text.utf8)]
            if let bytes = Base64URL.decode(text) { forms.append(Data(bytes)) }
            for form in forms { #expect(!files.contains { $0.range(of: form) != nil }) }
        }
        for text in hashed {
            let hash = Data(SHA256.hash(data: Data(text.utf8)))
            #expect(files.contains { $0.range(of: hash) != nil })
        }
    }
}
