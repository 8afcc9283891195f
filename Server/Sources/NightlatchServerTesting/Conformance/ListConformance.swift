import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about the lists in which operators search that every store keeps.
package enum ListConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("Users are found by the beginning of their ids without regard to case, page by page") {
            store in
            let names = [
                "Alice", "alice", "ALICE.B", "alina", "Bob", "É", "Éva", "e\u{301}mile", "ÑU", "Straße", "STRASSEN",
                "ΣΟΦΟΣ",
                "σοφοσ2", "山",
            ]
            for name in names.shuffled() { _ = try await store.newCode(for: try user(name)) }
            func found(_ prefix: String?, limit: Int = 100) async throws -> [String] {
                var (all, last): ([String], UserRecord?) = ([], nil)
                // Ends: with the empty page after the last user.
                while true {
                    let page = try await store.users(
                        matching: prefix.map { SearchText($0) }, after: last.map { ListPosition(after: $0) },
                        limit: limit)
                    #expect(page.count <= limit)
                    guard let end = page.last else { return all }
                    all += page.map(\.id.rawValue)
                    last = end
                }
            }
            for limit in [1, 3, 100] {
                #expect(try await found("ALI", limit: limit) == ["Alice", "alice", "ALICE.B", "alina"])
                #expect(try await found(nil, limit: limit).count == names.count)
            }
            #expect(try await found("éV") == ["Éva"])
            // As bytes: a folded `é` is one scalar, however the user wrote it.
            #expect(
                try await found("E\u{301}").map { Array($0.utf8) }
                    == ["É", "e\u{301}mile", "Éva"].map { Array($0.utf8) })
            #expect(try await found("strasse") == ["Straße", "STRASSEN"])
            #expect(try await found("σοφος") == ["ΣΟΦΟΣ", "σοφοσ2"])
            #expect(try await found("ñu") == ["ÑU"])
            #expect(try await found("e").isEmpty)
            #expect(try await found("alicex").isEmpty)
            #expect(try await store.count(.users(matching: SearchText("ali")), limit: 100) == 4)
            #expect(try await store.count(.users(matching: nil), limit: 5) == 5)
        },

        StoreRequirement("Devices are found by name, id, state and app, in the order of their folded names") { store in
            let (web, phone) = (try client("web"), try client("phone"))
            var ids: [String: DeviceID] = [:]
            for (name, app) in [("Zoë’s phone", web), ("anna", web), ("ANNA 2", phone), ("Bea", phone), ("Ärger", web)]
            {
                ids[name] = try await device(named: name, of: "user-\(name.count)", app: app, in: store)
            }
            func found(_ filter: DeviceFilter, limit: Int = 2) async throws -> [String] {
                var (all, last): ([DeviceRecord], DeviceRecord?) = ([], nil)
                // Ends: with the empty page after the last row.
                while true {
                    let page = try await store.devices(
                        matching: filter, after: last.map { ListPosition(after: $0) }, limit: limit)
                    guard let end = page.last else { break }
                    all += page
                    last = end
                }
                #expect(try await store.count(.devices(filter), limit: 100) == all.count)
                return all.map(\.name.rawValue)
            }
            #expect(try await found(DeviceFilter()) == ["anna", "ANNA 2", "Bea", "Zoë’s phone", "Ärger"])
            #expect(try await found(DeviceFilter(name: SearchText("ANN"))) == ["anna", "ANNA 2"])
            #expect(try await found(DeviceFilter(name: SearchText("zoË"))) == ["Zoë’s phone"])
            #expect(try await found(DeviceFilter(client: web)) == ["anna", "Zoë’s phone", "Ärger"])
            #expect(try await found(DeviceFilter(name: SearchText("a"), client: phone)) == ["ANNA 2"])
            let bea = try #require(ids["Bea"])
            for length in [4, 16, 32] {
                let digits = String(bea.rawValue.prefix(length))
                #expect(try await found(DeviceFilter(id: digits)).contains("Bea"))
                #expect(try await found(DeviceFilter(name: SearchText("b"), id: digits, client: phone)) == ["Bea"])
                #expect(try await found(DeviceFilter(id: digits, status: .blocked)).isEmpty)
                #expect(try await !found(DeviceFilter(id: digits, client: web)).contains("Bea"))
            }
            #expect(try await found(DeviceFilter(id: "ffffffffffffffffffffffffffffffff")).isEmpty)

            try await TestTime.after(.seconds(1)) { () async throws in
                _ = try await store.change(bea, of: user("user-3"), by: .operator, .block)
                _ = try await store.revoke(#require(ids["anna"]), of: user("user-4"), by: .operator)
            }
            #expect(try await found(DeviceFilter(status: .active)) == ["ANNA 2", "Zoë’s phone", "Ärger"])
            #expect(try await found(DeviceFilter(status: .blocked)) == ["Bea"])
            #expect(try await found(DeviceFilter(status: .revoked)) == ["anna"])
            #expect(try await found(DeviceFilter(status: .revoked, client: phone)).isEmpty)
            #expect(try await found(DeviceFilter(status: .blocked, client: phone)) == ["Bea"])
            #expect(try await found(DeviceFilter(status: .active, client: web)) == ["Zoë’s phone", "Ärger"])
            #expect(try await found(DeviceFilter(name: SearchText("a"), status: .active)) == ["ANNA 2"])
            // A jump to a letter.
            let letter = ListPosition(text: SearchText("B"), id: "")
            #expect(try await store.devices(matching: DeviceFilter(), after: letter, limit: 1).map(\.id) == [bea])
        },

        StoreRequirement("A device that was renamed or bound again is found by its new name at once") { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            func isFound(_ name: String) async throws -> Bool {
                try await !store.devices(matching: DeviceFilter(name: SearchText(name)), after: nil, limit: 9).isEmpty
            }
            for (name, other) in [("Old", "new"), ("NEW", "old"), ("new", "old")] {
                _ = try await store.change(id, of: alice, by: .user, .rename(#require(DeviceName(rawValue: name))))
                #expect(try await isFound(name))
                #expect(try await !isFound(other))
                _ = try await store.change(id, of: alice, by: .user, .block)
                _ = try await store.change(id, of: alice, by: .operator, .unblock)
                #expect(try await isFound(name))
            }
            #expect(try await store.bind(device, to: alice) == id)
            #expect(try await isFound("alice’s"))
            #expect(try await !isFound("new"))
            #expect(try await store.foldNames() == false)
        },

        StoreRequirement("Devices whose two-party PIN has no guess left are listed until its keys are destroyed") {
            store in
            let filter = DeviceFilter(status: .pinUsedUp)
            let (pin, other) = (try await PinSteps.enrolled(in: store), try await PinSteps.enrolled(in: store))
            for _ in 1...10 {
                #expect(try await store.devices(matching: filter, after: nil, limit: 9).isEmpty)
                _ = try await pin.charged(PinSteps.element(), epoch: 1, window: 1)
            }
            _ = try await other.charged(PinSteps.element(), epoch: 1, window: 1)
            let found = try await store.devices(matching: filter, after: nil, limit: 9)
            #expect(found.map(\.id) == [pin.id])
            #expect(try await store.count(.devices(filter), limit: 9) == 1)
            let last = found.last.map { ListPosition(after: $0) }
            #expect(try await store.devices(matching: filter, after: last, limit: 9).isEmpty)
            let named = DeviceFilter(name: SearchText("nobody"), status: .pinUsedUp)
            #expect(try await store.devices(matching: named, after: nil, limit: 9).isEmpty)
            try await TestTime.after(.seconds(601)) { try await store.destroyDuePinKeys(guessLimit: 10) }
            #expect(try await store.devices(matching: filter, after: nil, limit: 9).isEmpty)
        },

        StoreRequirement("Transactions are listed by state, user and time, newest first, page by page") { store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            let phone = try await store.bind(TestDevice(), to: alice)
            _ = try await store.newCode(for: bob)
            var news: [NewTransaction] = []
            for number in 0..<6 {
                try await TestTime.after(.seconds(number)) { () async throws in
                    let details = try TestTransaction.details(expiresAt: TestTime.start + .seconds(600 - 10 * number))
                    news.append(try TestTransaction.new(user: number < 4 ? alice : bob, details: details))
                    _ = try await store.createTransaction(news[number])
                }
            }
            for (number, way) in [(0, TransactionDecision.confirm), (1, .reject)] {
                let decision = TestTransaction.decision(way, on: news[number], by: phone)
                let outcome = try await store.decideTransaction(decision, consuming: Fixture.use())
                guard case .recorded = outcome else { throw StepFailed(outcome: "\(outcome)") }
            }
            _ = try await store.voidTransaction(news[2].id, by: .operator)
            func found(_ filter: TransactionFilter, limit: Int = 2) async throws -> [Int] {
                var (all, last): ([RecordedTransaction], RecordedTransaction?) = ([], nil)
                // Ends: with the empty page after the last row.
                while true {
                    let page = try await store.transactions(
                        matching: filter, before: last.map { filter.position(of: $0) }, limit: limit)
                    guard let end = page.last else { break }
                    all += page
                    last = end
                }
                #expect(try await store.count(.transactions(filter), limit: 100) == all.count)
                return all.compactMap { transaction in news.firstIndex { $0.id == transaction.id } }
            }
            #expect(try await found(TransactionFilter()) == [5, 4, 3, 2, 1, 0])
            #expect(try await found(TransactionFilter(state: .confirmed)) == [0])
            #expect(try await found(TransactionFilter(state: .rejected)) == [1])
            #expect(try await found(TransactionFilter(state: .voided)) == [2])
            // In the order of their ends, latest first.
            #expect(try await found(TransactionFilter(state: .pending)) == [3, 4, 5])
            #expect(try await found(TransactionFilter(state: .pending, user: bob)) == [5, 4])
            #expect(try await found(TransactionFilter(state: .voided, user: alice)) == [2])
            #expect(try await found(TransactionFilter(user: alice)) == [3, 2, 1, 0])
            #expect(try await found(TransactionFilter(user: alice, until: TestTime.start + .seconds(2))) == [2, 1, 0])
            #expect(try await found(TransactionFilter(until: TestTime.start + .seconds(4))) == [4, 3, 2, 1, 0])
            #expect(try await found(TransactionFilter(state: .expired)).isEmpty)
            try await TestTime.after(.seconds(561)) { () async throws in
                #expect(try await found(TransactionFilter(state: .expired)) == [4, 5])
                #expect(try await found(TransactionFilter(state: .expired, user: bob)) == [5, 4])
                #expect(try await found(TransactionFilter(state: .pending)) == [3])
                let until = TransactionFilter(state: .expired, until: TestTime.start + .seconds(555))
                #expect(try await found(until) == [5])
            }
        },

        StoreRequirement("Remote logins that wait for a decision are listed, the one that expires last first") {
            store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            let phone = try await store.bind(TestDevice(), to: alice)
            _ = try await store.newCode(for: bob)
            var logins: [RemoteLogin] = []
            for number in 0..<4 {
                try await TestTime.after(.seconds(number)) { () async throws in
                    let login = try TestRemoteLogin.new(of: number == 3 ? bob : alice, isClaimed: number == 1)
                    guard case .opened = try await store.openRemoteLogin(login) else {
                        throw StepFailed(outcome: "refused")
                    }
                    logins.append(login)
                }
            }
            let rejection = TestRemoteLogin.decision(.reject, on: logins[0], by: phone)
            _ = try await store.decideRemoteLogin(rejection, consuming: Fixture.use())
            let first = try await store.waitingRemoteLogins(before: nil, limit: 2)
            #expect(first == [logins[3], logins[2]])
            let last = try #require(first.last)
            #expect(try await store.waitingRemoteLogins(before: TimePosition(of: last), limit: 2) == [logins[1]])
            #expect(try await store.count(.waitingRemoteLogins, limit: 9) == 3)
            try await TestTime.after(RemoteLogin.life + .seconds(3)) { () async throws in
                #expect(try await store.waitingRemoteLogins(before: nil, limit: 9) == [logins[3]])
                #expect(try await store.count(.waitingRemoteLogins, limit: 9) == 1)
            }
        },

        StoreRequirement("Entries of the audit log are found by user, kind, cause and time") { store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            for number in 0..<3 {
                try await TestTime.after(.seconds(number)) { () async throws in
                    _ = try await store.newCode(for: alice)
                    _ = try await store.newCode(for: bob)
                    try await store.audit(refusals(number + 1, of: .messageRefused))
                    try await store.audit(refusals(number + 4, of: .rateLimited))
                }
            }
            // A text of a signer that looks like a member of the entry.
            var claims = AuditEvent(.journeySigned, by: .device, user: alice)
            claims.claims = #"{"event":"console_signed_in","problem":"rate_limited"}"#
            try await store.audit(claims)
            func found(_ filter: AuditFilter, limit: Int = 2) async throws -> [AuditEvent] {
                var (all, last): ([AuditEntry], AuditPosition?) = ([], nil)
                // Ends: with the empty page after the last row.
                while true {
                    let page = try await store.auditEntries(matching: filter, before: last, limit: limit)
                    guard let end = page.last else { break }
                    all += page
                    last = AuditPosition(of: end)
                }
                #expect(try await store.count(.auditEntries(filter), limit: 100) == all.count)
                return all.map(\.event)
            }
            #expect(try await found(AuditFilter()).count == 13)
            #expect(try await found(AuditFilter(kind: .enrolmentCodeCreated)).count == 6)
            #expect(try await found(AuditFilter(user: bob, kind: .enrolmentCodeCreated)).count == 3)
            #expect(try await found(AuditFilter(kind: .consoleSignedIn)).isEmpty)
            #expect(try await found(AuditFilter(kind: .journeySigned)) == [claims])
            #expect(try await found(AuditFilter(problem: .rateLimited)).map(\.count) == [6, 5, 4])
            #expect(try await found(AuditFilter(user: alice, problem: .rateLimited)).isEmpty)
            #expect(
                try await found(AuditFilter(kind: .requestsRefused, problem: .messageRefused)).map(\.count) == [
                    3, 2, 1,
                ])
            let until = AuditFilter(problem: .rateLimited, until: TestTime.start + .seconds(1))
            #expect(try await found(until).map(\.count) == [5, 4])
            #expect(try await found(AuditFilter(user: alice, until: TestTime.start)).count == 2)
            #expect(try await store.count(.auditEntries(AuditFilter()), limit: 7) == 7)
        },

        StoreRequirement("Events are counted minute by minute, each once, for the last hour and the last day") {
            store in
            let alice = try Fixture.alice()
            let device = TestDevice()
            #expect(TestTime.start.secondsSince1970 % 60 == 0)
            #expect(try await store.countEvents() == false)
            #expect(try await store.eventFigures() == EventFigures(until: nil, counts: []))
            let id = try await store.bind(device, to: alice)
            func countAll(after duration: Duration) async throws -> EventFigures {
                try await TestTime.after(duration) { () async throws in
                    // Ends: each call counts further minutes.
                    while try await store.countEvents() {}
                    return try await store.eventFigures()
                }
            }
            for seconds in [1, 59, 60, 120] {
                try await TestTime.after(.seconds(seconds)) { () async throws in
                    _ = try await store.logIn(device, id: id, user: alice)
                    try await store.audit(refusals(seconds, of: .messageRefused))
                }
            }
            try await store.audit(refusals(7, of: .rateLimited))
            #expect(try await countAll(after: .seconds(119)).until == nil)
            let first = try await countAll(after: .seconds(120))
            #expect(first.until == TestTime.start + .seconds(60))
            #expect(first.total(of: .loggedIn) == (2, 2))
            let all = try await countAll(after: .seconds(240))
            #expect(all.until == TestTime.start + .seconds(180))
            #expect(
                all.counts == [
                    .init(kind: .loggedIn, lastHour: 4, lastDay: 4),
                    .init(kind: .requestsRefused, problem: .messageRefused, lastHour: 240, lastDay: 240),
                    .init(kind: .requestsRefused, problem: .rateLimited, lastHour: 7, lastDay: 7),
                ])
            #expect(try await countAll(after: .seconds(240)) == all)
            let hour = try await countAll(after: .seconds(3600 + 120))
            #expect(hour.total(of: .loggedIn) == (2, 4))
            #expect(hour.total(of: .requestsRefused) == (180, 247))
            let day = try await countAll(after: .seconds(24 * 3600 + 120))
            #expect(day.total(of: .loggedIn) == (0, 2))
            #expect(day.total(of: .requestsRefused) == (0, 180))
            #expect(try await countAll(after: .seconds(30 * 24 * 3600)).counts.isEmpty)
            // The clock was a month ahead: the last day is counted again.
            #expect(try await countAll(after: .seconds(240)) == all)
        },
    ]

    private static func user(_ text: String) throws -> UserID { try #require(UserID(rawValue: text)) }

    private static func client(_ text: String) throws -> ClientID { try #require(ClientID(rawValue: text)) }

    private static func refusals(_ count: Int, of problem: ProblemCode) -> AuditEvent {
        AuditEvent(.requestsRefused, by: .server, problem: problem, count: count)
    }

    private static func device(
        named name: String, of text: String, app: ClientID, in store: any RelyingPartyStore
    ) async throws -> DeviceID {
        let (user, device) = (try user(text), TestDevice())
        let code = try await store.newCode(for: user)
        let outcome = try await store.bind(
            device.binding(user: user, client: app, code: code), consuming: Fixture.use())
        guard case .bound(let id) = outcome else { throw StepFailed(outcome: "\(outcome)") }
        _ = try await store.change(id, of: user, by: .user, .rename(#require(DeviceName(rawValue: name))))
        return id
    }
}
