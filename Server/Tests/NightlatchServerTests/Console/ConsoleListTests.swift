import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The lists of the console")
struct ConsoleListTests {
    /// Binds a device with a name to a user, and returns its id.
    private func bind(
        _ name: String, to user: String, _ browser: ConsoleBrowser, _ store: MemoryRelyingPartyStore
    ) async throws -> DeviceID {
        let user = try #require(UserID(rawValue: user))
        let id = try await browser.caller.bind(TestDevice(), to: user)
        _ = try await store.change(id, of: user, by: .user, .rename(#require(DeviceName(rawValue: name))))
        return id
    }

    /// Follows the links with this text, and returns the row heads of all pages.
    private func rows(
        _ path: String, next: String, _ browser: inout ConsoleBrowser, atMost count: Int
    ) async throws -> [String] {
        var (found, address): ([String], String?) = ([], path)
        while let current = address, found.count <= count {
            let page = try await browser.get(current)
            #expect(page.status == .ok, "\(current)")
            found += page.rowHeads
            address = page.address(ofLink: next)
        }
        return found
    }

    @Test("Users and devices are found by the beginnings of their ids and names, without regard to case")
    func find() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let id = try await bind("Ärger’s phone", to: "Anna", browser, store)
            _ = try await bind("Anna’s tablet", to: "bob", browser, store)
            let page = try await browser.get("/console/find?text=%20anna")
            #expect(page.text.contains("<h1>Found for “anna”</h1>"))
            #expect(page.rowHeads == ["Anna", "Anna’s tablet"])
            #expect(try await browser.get("/console/find?text=%C3%A4RG").rowHeads == ["Ärger’s phone"])
            #expect(try await browser.get("/console/find?text=a%CC%88rger").rowHeads == ["Ärger’s phone"])
            for text in [id.rawValue, id.rawValue.uppercased(), String(id.rawValue.prefix(8))] {
                #expect(try await browser.get("/console/find?text=\(text)").rowHeads == ["Ärger’s phone"])
            }
            let nothing = try await browser.get("/console/find?text=nobody")
            #expect(nothing.rowHeads.isEmpty && nothing.text.contains("No user id begins with “nobody”."))
            #expect(try await browser.get("/console/find").text.contains("<h1>Find</h1>"))
        }
    }

    @Test("Users are listed page by page with their number, and with jumps to the first page and to letters")
    func users() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let names = (0..<120).map { "User-\(100 + $0)" } + ["zoe"]
            for name in names { _ = try await store.newCode(for: #require(UserID(rawValue: name))) }
            #expect(try await rows("/console/users", next: "Next users", &browser, atMost: 200) == names)
            let first = try await browser.get("/console/users")
            #expect(first.text.contains("<caption>121 users, in the order of their ids</caption>"))
            #expect(first.address(ofLink: "First page") == nil)
            let second = try await browser.get(try #require(first.address(ofLink: "Next users")))
            #expect(second.address(ofLink: "First page") == "/console/users")
            let letter = try #require(first.address(ofLink: "Z"))
            #expect(try await browser.get(letter).rowHeads == ["zoe"])
            #expect(try await browser.get(#require(first.address(ofLink: "Others"))).text.contains("No further users."))
            let prefix = try await browser.get("/console/users?prefix=uSER-10")
            #expect(prefix.rowHeads == (100..<110).map { "User-\($0)" })
            #expect(prefix.address(ofLink: "Z") == nil)
        }
    }

    @Test("Devices are listed by name, id, state and app, with their number")
    func devices() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            for number in 0..<60 { _ = try await bind("Phone \(100 + number)", to: "user-\(number)", browser, store) }
            let id = try await bind("Tablet", to: "alice", browser, store)
            _ = try await store.change(id, of: Fixture.alice(), by: .operator, .block)
            let all = (0..<60).map { "Phone \(100 + $0)" } + ["Tablet"]
            #expect(try await rows("/console/devices", next: "Next devices", &browser, atMost: 99) == all)
            let named = try await rows("/console/devices?name=pHONE", next: "Next devices", &browser, atMost: 99)
            #expect(named == all.dropLast())
            let page = try await browser.get("/console/devices?status=blocked&app=nightlatch")
            #expect(page.rowHeads == ["Tablet"])
            #expect(page.text.contains("1 device, state: blocked, app: nightlatch, in the order of their names"))
            #expect(page.text.contains(#"<option value="blocked" selected>Blocked</option>"#))
            #expect(try await browser.get("/console/devices?id=\(id.rawValue.prefix(12))").rowHeads == ["Tablet"])
            let short = try await browser.get("/console/devices?id=ab")
            #expect(short.text.contains("“ab” is not the beginning of a device id") && short.rowHeads.isEmpty)
            for bad in ["status=x", "app=%20a%20b", "after=x", "name=a&name=b"] {
                #expect(try await browser.get("/console/devices?" + bad).status == .badRequest, "\(bad)")
            }
        }
    }

    @Test("Transactions and waiting remote logins of all users are listed by state, user and time")
    func decisions() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            for user in [alice, bob] { _ = try await browser.caller.code(for: user) }
            var news: [NewTransaction] = []
            for (payee, user) in [("Baker", alice), ("Cook", alice), ("Driver", bob)] {
                news.append(try TestTransaction.new(user: user, details: TestTransaction.details(payee: payee)))
            }
            for new in news { _ = try await store.createTransaction(new) }
            _ = try await store.voidTransaction(news[1].id, by: .backend)
            #expect(try await Set(browser.get("/console/transactions").rowHeads) == ["Baker", "Cook", "Driver"])
            #expect(try await browser.get("/console/transactions?state=voided").rowHeads == ["Cook"])
            let pending = try await browser.get("/console/transactions?state=pending&user=alice")
            #expect(pending.rowHeads == ["Baker"])
            #expect(pending.text.contains("1 transaction, state: pending, user: alice, newest first"))
            #expect(try await browser.get("/console/transactions?until=2020-01-31T23:59").rowHeads.isEmpty)
            for bad in ["state=x", "before=1", "until=yesterday", "until=2020-13-31T23:59"] {
                #expect(try await browser.get("/console/transactions?" + bad).status == .badRequest, "\(bad)")
            }
            _ = try await store.openRemoteLogin(TestRemoteLogin.new(of: bob))
            let waiting = try await browser.get("/console/remote-logins")
            #expect(waiting.rowHeads == ["bob"] && waiting.text.contains("the login page, for an entered name"))
            #expect(waiting.text.contains("1 login waits, the one that expires last first"))
        }
    }

    @Test("Events are listed by user, kind, cause and time")
    func audit() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            for _ in 0..<60 { _ = try await browser.caller.code(for: Fixture.alice()) }
            try await store.audit(AuditEvent(.requestsRefused, by: .server, problem: .rateLimited, count: 7))
            let codes = try await rows(
                "/console/audit?kind=enrolment_code_created", next: "Older events", &browser, atMost: 99)
            #expect(codes == Array(repeating: "Enrolment code created", count: 60))
            let refused = try await browser.get("/console/audit?problem=rate_limited")
            #expect(refused.rowHeads == ["Requests refused"])
            #expect(refused.text.contains("1 event, cause: rate_limited, newest first"))
            let old = try await browser.get("/console/audit?kind=enrolment_code_created&until=2020-01-31T23:59")
            #expect(old.rowHeads.isEmpty)
            let then = try await browser.get("/console/audit?problem=rate_limited&until=2027-01-15T08:00")
            #expect(then.rowHeads == ["Requests refused"])
            for bad in ["kind=x", "problem=A", "before=x", "until=x"] {
                #expect(try await browser.get("/console/audit?" + bad).status == .badRequest, "\(bad)")
            }
        }
    }

    @Test("A list of more rows than are counted says so")
    func manyRows() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            for _ in 0..<10_001 { try await store.audit(AuditEvent(.signingKeyAdded, by: .server)) }
            let page = try await browser.get("/console/audit?kind=signing_key_added")
            #expect(page.text.contains("More than 10,000 events, event: Signing key added, newest first"))
        }
    }
}
