import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Exports of the console")
struct ConsoleExportTests {
    /// Parses a file as RFC 4180 says, in which every cell is in quotes.
    private func lines(_ text: String) throws -> [[String]] {
        let row = #/("(?:[^"]|"")*"(?:,"(?:[^"]|"")*")*)\r\n/#
        let rows = text.matches(of: row)
        #expect(rows.map { String($0.0) }.joined().utf8.count == text.utf8.count)
        return rows.map { row in
            row.1.matches(of: #/"((?:[^"]|"")*)"/#).map { String($0.1).replacing("\"\"", with: "\"") }
        }
    }

    @Test(
        "Names that a spreadsheet would take for formulas begin with an apostrophe, and quotes begin no other cell",
        arguments: ["=1+1", "+1", "-1", "@a", "  =1", "＝1", "a\"\",=1", "a,b", "a\"b"])
    func formulas(name: String) async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let alice = try Fixture.alice()
            let id = try await browser.caller.bind(TestDevice(), to: alice)
            let shown = try #require(DeviceName(rawValue: name))
            _ = try await store.change(id, of: alice, by: .user, .rename(shown))
            try await browser.get("/console/devices")
            let file = try await browser.post("/console/devices/export")
            let found = try lines(file.text)
            let isPlain = name.hasPrefix("a")
            #expect(
                found.count == 2 && found[1][...3] == [id.rawValue, (isPlain ? "" : "'") + name, "alice", "nightlatch"])
            #expect(found[0].count == found[1].count)
        }
    }

    @Test("Each list is exported with its filter, page by page, and the audit log names the list and the operator")
    func lists() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            for number in 0..<1200 {
                _ = try await store.newCode(for: #require(UserID(rawValue: "user-\(1000 + number)")))
            }
            let bob = try Fixture.bob()
            _ = try await store.newCode(for: bob)
            _ = try await store.createTransaction(TestTransaction.new(user: bob))
            _ = try await store.openRemoteLogin(TestRemoteLogin.new(of: bob))
            try await browser.get("/console/users")
            let users = try await browser.post("/console/users/export", ["prefix": "USER"])
            #expect(users.status == .ok && users.headers[.contentType] == "text/csv; charset=utf-8; header=present")
            #expect(users.headers[.contentDisposition] == "attachment; filename=\"nightlatch-users.csv\"")
            #expect(users.headers[.xContentTypeOptions] == "nosniff" && users.headers[.cacheControl] == "no-store")
            let rows = try lines(users.text)
            #expect(rows[0][0] == "user" && rows.dropFirst().map { $0[0] } == (0..<1200).map { "user-\(1000 + $0)" })
            for (list, head, count) in [
                ("transactions", "transaction_id", 1), ("remote-logins", "user", 1), ("devices", "device_id", 0),
            ] {
                let rows = try lines(await browser.post("/console/\(list)/export").text)
                #expect(rows[0][0] == head && rows.count == count + 1)
            }
            let audit = try lines(await browser.post("/console/audit/export", ["kind": "list_exported"]).text)
            #expect(audit.count == 6 && audit[0][3...4] == ["event", "by"])
            #expect(audit.dropFirst().allSatisfy { $0[3] == "list_exported" && $0[4] == "operator" })
            let entries = try await store.auditEntries(
                matching: AuditFilter(kind: .listExported), before: nil, limit: 9)
            #expect(Set(entries.map(\.event.list)) == Set(ExportedList.allCases))
            #expect(try await browser.get("/console/audit?kind=list_exported").text.contains("remote_logins"))
        }
    }

    @Test("An export needs the form of a page, and a filter that can be read")
    func refusals() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            #expect(try await browser.post("/console/users/export", token: .some(nil)).status == .forbidden)
            #expect(try await browser.get("/console/users/export").status == .methodNotAllowed)
            try await browser.get("/console/devices")
            #expect(try await browser.post("/console/devices/export", ["id": "x"]).status == .badRequest)
            let entries = try await store.auditEntries(
                matching: AuditFilter(kind: .listExported), before: nil, limit: 9)
            #expect(entries.isEmpty)
        }
    }

    @Test("An export over a connection arrives whole, in chunks, and ends the connection")
    func connection() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let key = AdminKey.random()
        try await TestRelyingParty.with(store, setup: .live, adminKey: key) { caller in
            var browser = ConsoleBrowser(caller)
            try await browser.signIn(key)
            for number in 0..<1200 {
                _ = try await store.newCode(for: #require(UserID(rawValue: "user-\(1000 + number)")))
            }
            try await browser.get("/console/users")
            let file = try await browser.post("/console/users/export")
            #expect(try lines(file.text).count == 1201)
            #expect(file.headers[.transferEncoding] == "chunked" && file.headers[.connection] == "close")
            #expect(file.headers[.contentLength] == nil)
        }
    }
}
