import Foundation
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Administration")
struct AdministrationTests {
    private func withStore(
        _ body: (Administration, MemoryRelyingPartyStore) async throws -> Void
    ) async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await body(Administration(of: store, by: .operator), store)
    }

    @Test("Users are returned in pages, each with the start of the next one")
    func pages() async throws {
        try await withStore { administration, store in
            let names = (10..<35).map { "user\($0)" }
            for name in names { _ = try await store.newCode(for: #require(UserID(rawValue: name))) }
            var (found, next): ([String], UserID?) = ([], nil)
            repeat {
                let page = try await administration.users(after: next, pageLength: 10)
                found += page.elements.map(\.id.rawValue)
                #expect(page.elements.count == min(10, 25 - (found.count - page.elements.count)))
                next = page.next
            } while next != nil && found.count < 100
            #expect(found == names)
            let two = try await administration.users(startingWith: UserID(rawValue: "user2"), pageLength: 10)
            #expect(two.elements.map(\.id.rawValue) == (20..<30).map { "user\($0)" })
            #expect(two.next == nil)
            #expect(try await administration.users(pageLength: 0).elements.count == 1)
            #expect(try await administration.users(pageLength: .max).elements.count == 25)
        }
    }

    @Test("The audit log of one user or of all is returned in pages, and a page's end survives being written as text")
    func audit() async throws {
        try await withStore { administration, store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            for index in 0..<9 { _ = try await store.newCode(for: index % 3 == 0 ? bob : alice) }
            var (count, next): (Int, AuditPosition?) = (0, nil)
            repeat {
                let page = try await administration.auditEntries(of: alice, before: next, pageLength: 4)
                #expect(page.elements.allSatisfy { $0.event.user == alice })
                count += page.elements.count
                next = page.next.flatMap { AuditPosition($0.description) }
                #expect(next == page.next)
            } while next != nil && count < 100
            #expect(count == 6)
            #expect(try await administration.auditEntries().elements.count == 9)
        }
    }

    @Test("A malformed position in the audit log is refused", arguments: ["", "1.2", "1.abc.3", "x.y.z.w", "1..2"])
    func noPosition(text: String) {
        #expect(AuditPosition(text) == nil)
    }

    @Test("An operator's changes are in the audit log once, as the operator's")
    func changes() async throws {
        try await withStore { administration, store in
            let alice = try Fixture.alice()
            let id = try await store.bind(TestDevice(), to: alice)
            let name = try #require(DeviceName(rawValue: "Lost phone"))
            for _ in 0..<2 { #expect(try await administration.rename(id, of: alice, to: name).name == name) }
            for _ in 0..<2 { #expect(try await administration.block(id, of: alice).stop == .blocked) }
            for _ in 0..<2 { #expect(try await administration.unblock(id, of: alice).stop == nil) }
            for _ in 0..<2 { #expect(try await administration.revoke(id, of: alice).stop == .revoked) }
            let kinds = try await administration.auditEntries(of: alice).elements.map(\.event)
                .filter { $0.actor == .operator && $0.device == id }.map(\.kind)
            #expect(kinds == [.deviceRevoked, .deviceUnblocked, .deviceBlocked, .deviceRenamed])
        }
    }

    @Test("Members of a profile that operators change at the same time are all kept")
    func profiles() async throws {
        try await withStore { administration, store in
            let (alice, bob, full) = (try Fixture.alice(), try Fixture.bob(), try TestProfile.full())
            _ = try await store.newCode(for: alice)
            #expect(try await administration.profile(of: alice) == nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                let changes: [@Sendable (inout UserProfile) -> Void] = [
                    { $0.name = full.name }, { $0.givenName = full.givenName }, { $0.familyName = full.familyName },
                    { $0.email = full.email }, { $0.phoneNumber = full.phoneNumber },
                ]
                for change in changes {
                    group.addTask {
                        _ = try await administration.changeProfile(of: alice) { profile in
                            var profile = profile
                            change(&profile)
                            return profile
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await administration.profile(of: alice)?.profile == full)
            #expect(try await administration.profile(of: alice)?.revision == 5)
            #expect(try await administration.changeProfile(of: alice) { _ in nil } == nil)
            #expect(try await administration.profile(of: alice) == nil)
            await #expect(throws: AdministrationError.userUnknown) { try await administration.profile(of: bob) }
            await #expect(throws: AdministrationError.userUnknown) {
                try await administration.changeProfile(of: bob) { _ in full }
            }
        }
    }

    @Test("An impossible change is refused with its reason")
    func refusals() async throws {
        try await withStore { administration, store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            let id = try await store.bind(TestDevice(), to: alice)
            await #expect(throws: AdministrationError.userUnknown) { try await administration.user(bob) }
            await #expect(throws: AdministrationError.userUnknown) { try await administration.devices(of: bob) }
            await #expect(throws: AdministrationError.userUnknown) { try await administration.transactions(of: bob) }
            await #expect(throws: AdministrationError.transactionUnknown) {
                try await administration.transaction(.random())
            }
            await #expect(throws: AdministrationError.deviceUnknown) { try await administration.block(id, of: bob) }
            await #expect(throws: AdministrationError.deviceUnknown) {
                try await administration.revoke(.random(), of: alice)
            }
            _ = try await administration.revoke(id, of: alice)
            await #expect(throws: AdministrationError.deviceRevoked) { try await administration.block(id, of: alice) }
            await #expect(throws: AdministrationError.deviceRevoked) {
                try await administration.unblock(id, of: alice)
            }
        }
    }

    @Test("An operator renames and removes a journey key and ends sessions, and the audit log names the operator")
    func journeys() async throws {
        try await withStore { administration, store in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            _ = try await store.newCode(for: alice)
            let device = try TestJourneys.device(of: alice)
            _ = try await store.recordJourneyStep(TestJourneys.binding(device))
            let (byKey, byPassword) = (
                TestJourneys.session(of: alice, by: device.id), TestJourneys.session(of: alice)
            )
            for session in [byKey, byPassword] {
                _ = try await store.recordJourneyStep(JourneyStep(use: TestJourneys.use(), session: session))
            }
            #expect(try await administration.journeyDevices(of: alice) == [device])
            #expect(try await administration.journeySessions(of: alice).count == 2)
            let name = try #require(DeviceName(rawValue: "Lost phone"))
            for _ in 0..<2 { #expect(try await administration.rename(device.id, of: alice, to: name).name == name) }
            #expect(try await administration.remove(device.id, of: alice).id == device.id)
            #expect(try await store.journeySession(byKey.token) == nil)
            for count in [1, 0] { #expect(try await administration.endJourneySessions(of: alice) == count) }
            #expect(try await store.journeySession(byPassword.token) == nil)
            let kinds = try await administration.auditEntries(of: alice).elements.map(\.event)
                .filter { $0.actor == .operator }.map(\.kind)
            #expect(kinds == [.journeySessionsEnded, .journeyDeviceRemoved, .journeyDeviceRenamed])

            await #expect(throws: AdministrationError.deviceUnknown) {
                try await administration.remove(device.id, of: alice)
            }
            await #expect(throws: AdministrationError.deviceUnknown) {
                try await administration.journeyDevice(device.id, of: alice)
            }
            await #expect(throws: AdministrationError.deviceUnknown) {
                try await administration.rename(device.id, of: bob, to: name)
            }
            await #expect(throws: AdministrationError.userUnknown) {
                try await administration.endJourneySessions(of: bob)
            }
            await #expect(throws: AdministrationError.userUnknown) { try await administration.journeyDevices(of: bob) }
            await #expect(throws: AdministrationError.userUnknown) { try await administration.journeySessions(of: bob) }
        }
    }

    @Test(
        """
        Signed claims are shown as signed, but invisible characters and those that change the text direction are \
        escaped
        """,
        arguments: [
            (#"{"amount":"100 €"}"#, #"{"amount":"100 €"}"#),
            ("{\"a\":\"\u{202E}x\u{9B}\"}", #"{"a":"\u202ex\u009b"}"#),
            ("\u{E0041}", #"\udb40\udc41"#),
        ])
    func claims(claims: String, shown: String) throws {
        var event = AuditEvent(.journeySigned, by: .device)
        #expect(event.shownClaims == nil)
        event.claims = claims
        #expect(event.shownClaims == shown)
    }

    @Test("An event without changed members of a profile shows none")
    func members() {
        var event = AuditEvent(.userProfileRemoved, by: .operator)
        for (members, shown) in [(nil, nil), ([], nil), ([.email, .familyName], "email, family_name")]
            as [([UserProfile.Member]?, String?)]
        {
            event.members = members
            #expect(event.shownMembers == shown)
        }
    }

    @Test("JSON for a terminal escapes characters that the terminal would obey, and has the same value")
    func escapedJSON() throws {
        let value = ["a": "\u{9B}2J\u{202E}\u{2028}\u{E0041}\u{200B} é山\"\\"]
        let text = String(decoding: StrictJSON.encode(value), as: UTF8.self).withEscapes
        #expect(text == #"{"a":"\u009b2J\u202e\u2028\udb40\udc41\u200b é山\"\\"}"#)
        #expect(try StrictJSON.decode([String: String].self, from: Data(text.utf8)) == value)
    }

    @Test("An unavailable store is an error, not an empty list")
    func brokenStore() async throws {
        try await TemporaryFolder.with { folder in
            let store = try SQLiteStore(path: folder + "/store.sqlite", clock: TestTime.clock)
            let alice = try Fixture.alice()
            let id = try await store.bind(TestDevice(), to: alice)
            let failure = RelyingPartyStoreError(.unavailable)
            let administration = Administration(
                of: BrokenStore(reading: store, failure: failure), by: .operator)
            await #expect(throws: AdministrationError.store(failure)) {
                try await administration.block(id, of: alice)
            }
            try store.close()
            await #expect(throws: AdministrationError.self) { try await administration.users() }
            await #expect(throws: AdministrationError.self) { try await administration.user(alice) }
        }
    }
}
