import GRDB
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The console's overview")
struct ConsoleOverviewTests {
    /// Returns the number in the link to `address`, and its text.
    private func figure(_ page: TestResponse, at address: String) -> String? {
        page.text.matches(of: #/<li><a href="([^"]+)"><strong>([^<]+)</strong> ([^<]+)</a></li>/#)
            .first { String($0.1).replacing("&amp;", with: "&") == address }.map { "\($0.2) \($0.3)" }
    }

    /// Returns the cells of the row with this heading.
    private func row(_ page: TestResponse, _ name: String) -> [String] {
        let rows = page.text.split(separator: "<tr role=\"row\"")
        let row = rows.first { $0.contains(">\(name)</a></th>") }
        return row?.matches(of: #/class="number">([^<]*)</td>/#).map { String($0.1) } ?? []
    }

    @Test("The figures of what waits lead to the lists of it")
    func figures() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let alice = try Fixture.alice()
            let device = try await browser.caller.bind(TestDevice(), to: alice)
            _ = try await store.change(device, of: alice, by: .operator, .block)
            for _ in 0..<2 { _ = try await store.createTransaction(TestTransaction.new(user: alice)) }
            _ = try await store.openRemoteLogin(TestRemoteLogin.new(of: alice))
            let pin = try await PinSteps.enrolled(in: store)
            for _ in 1...10 { _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1) }
            let page = try await browser.get("/console")
            for (address, words, count) in [
                ("/console/transactions?state=pending", "2 transactions wait", 2),
                ("/console/remote-logins", "1 remote login waits", 1),
                ("/console/devices?status=blocked", "1 device is blocked", 1),
                ("/console/devices?status=pin_used_up", "1 two-party PIN has no guess left", 1),
            ] {
                #expect(figure(page, at: address) == words)
                #expect(try await browser.get(address).rowHeads.count == count)
            }
        }
    }

    @Test("Logins and refusals of the last hour and the last day are shown with their period and lead to their events")
    func counts() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            #expect(
                try await browser.get("/console").text.contains("The first events are counted within three minutes."))
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            for _ in 0..<3 { _ = try await store.logIn(device, id: id, user: alice) }
            for (problem, count) in [(ProblemCode.rateLimited, 1200), (.messageRefused, 5)] {
                try await store.audit(AuditEvent(.requestsRefused, by: .server, problem: problem, count: count))
            }
            try await TestTime.after(.seconds(2 * 3600)) { while try await store.countEvents() {} }
            let page = try await browser.get("/console")
            #expect(
                page.text.contains("The hour and the day before 2027-01-15 09:59:00 UTC, at all servers of this store"))
            #expect(row(page, "Logins by devices") == ["0", "3"])
            #expect(row(page, "Requests refused") == ["0", "1,205"])
            #expect(row(page, "rate_limited") == ["0", "1,200"] && row(page, "message_refused") == ["0", "5"])
            let logins = try #require(page.address(ofLink: "Logins by devices"))
            #expect(logins == "/console/audit?kind=logged_in&until=2027-01-15T09%3A58")
            #expect(try await browser.get(logins).rowHeads.count == 3)
            #expect(try await browser.get(#require(page.address(ofLink: "rate_limited"))).rowHeads.count == 1)
        }
    }

    @Test("A damaged entry about refused requests does not stop the figures")
    func damagedRefusals() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            for count in [5, 7] {
                try await store.audit(AuditEvent(.requestsRefused, by: .server, problem: .rateLimited, count: count))
            }
            let file = try DatabaseQueue(path: path)
            try await file.write { database in
                try database.execute(sql: "DROP TRIGGER IF EXISTS audit_entry_is_final")
                try database.execute(
                    sql: "UPDATE audit_entry SET body = CAST(CAST(body AS TEXT) || '}' AS BLOB) WHERE sequence = 1")
            }
            try file.close()
            try await TestTime.after(.seconds(600)) { while try await store.countEvents() {} }
            let figures = try await store.eventFigures()
            #expect(figures.total(of: .requestsRefused).lastDay == 7)
            try store.close()
        }
    }

    @Test("The overview checks the newest entries of the chain, and says if they were changed", arguments: [5, 250])
    func tail(entryCount: Int) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let administration = Administration(of: store, by: .operator)
            #expect(try await administration.overview(entryCount: 1).auditTail == nil)
            for _ in 0..<entryCount { try await store.audit(AuditEvent(.consoleSignedIn, by: .operator)) }
            let checked = min(entryCount, AuditTail.checkedCount)
            let tail = try #require(try await administration.overview(entryCount: 1).auditTail)
            #expect(tail.isIntact && tail.checkedCount == checked && tail.newest?.sequence == entryCount)
            let file = try DatabaseQueue(path: path)
            func change(_ sql: String) async throws {
                try await file.write { database in
                    try database.execute(sql: "DROP TRIGGER IF EXISTS audit_entry_is_final")
                    try database.execute(sql: "DROP TRIGGER IF EXISTS audit_entry_stays")
                    try database.execute(sql: sql)
                }
            }
            let middle = entryCount - checked / 2
            try await change(
                """
                UPDATE audit_entry SET body = CAST(replace(CAST(body AS TEXT), 'operator', 'backend') AS BLOB)
                WHERE sequence = \(middle)
                """)
            #expect(try await administration.overview(entryCount: 1).auditTail?.isIntact == false)
            try await change("DELETE FROM audit_entry WHERE sequence = \(middle)")
            #expect(try await administration.overview(entryCount: 1).auditTail?.isIntact == false)
            try await change("UPDATE audit_entry SET body = CAST('{' AS BLOB) WHERE sequence = \(entryCount)")
            let unreadable = try await administration.overview(entryCount: 1)
            #expect(unreadable.auditTail?.isIntact == false && unreadable.auditTail?.newest == nil)
            try await ConsoleBrowser.signedIn(store) { browser in
                let page = try await browser.get("/console")
                #expect(page.text.contains("One of the newest entries cannot be read: the log was changed."))
            }
            try file.close()
            try store.close()
        }
    }
}
