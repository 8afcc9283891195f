import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("Remote logins over HTTP")
struct RemoteLoginRouteTests {
    /// A relying party with an app, and its store and master key.
    private struct Party: Sendable {
        let caller: TestCaller
        let store: any RelyingPartyStore
        let codes: RemoteLoginCodes

        func offer(
            number: String = "42", life: Duration = RemoteLogin.life, place: String = "203.0.113.7"
        ) throws -> OfferedRemoteLogin {
            OfferedRemoteLogin(
                id: .random(), client: try #require(ClientID(rawValue: "shop")),
                place: RemoteLoginPlace(rawValue: place),
                number: try #require(RemoteLoginNumber(rawValue: number)), requestedAt: TestTime.current,
                expiresAt: TestTime.current + life)
        }

        /// Opens a login for a user as the login page does after the user entered their name.
        func ask(_ user: UserID, _ offer: OfferedRemoteLogin) async throws -> RemoteLoginOpening {
            try await store.openRemoteLogin(
                offer.login(of: user, to: try #require(AppName(rawValue: "The Shop")), isClaimed: false))
        }

        func notice(for session: TestSession, place: String = "203.0.113.7") async throws -> RemoteLoginNotice {
            try await caller.claim(codes.seal(offer(place: place)), session).message()
        }
    }

    private func with(
        _ kind: StoreKind = .memory, setup: TestingSetup = .router,
        _ body: @escaping @Sendable (Party) async throws -> Void
    ) async throws {
        let masterKey = MasterKey.random()
        try await kind.with { store in
            let app = App(
                id: try #require(ClientID(rawValue: "shop")), name: try #require(AppName(rawValue: "The Shop")))
            _ = try await store.putApp(app, replacing: nil, by: .operator)
            func run(_ store: some RelyingPartyStore) async throws {
                try await TestRelyingParty.with(store, setup: setup, masterKey: masterKey) { caller in
                    try await body(
                        Party(caller: caller, store: store, codes: RemoteLoginCodes(keyring: MasterKeyring(masterKey))))
                }
            }
            try await run(store)
        }
    }

    @Test(
        "A device scans a code, shows app, place and time, and confirms with the number of the page",
        arguments: StoreKind.allCases)
    func story(kind: StoreKind) async throws {
        try await with(kind, setup: .live) { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            let offer = try party.offer()
            let notice = try await party.caller.claim(party.codes.seal(offer), phone)
                .message(RemoteLoginNotice.self)
            #expect(notice.details.app.rawValue == "The Shop" && notice.details.place?.rawValue == "203.0.113.7")
            #expect(notice.details.hasNumber && notice.details.requestedAt == TestTime.current)
            #expect(try await party.caller.remoteLogins(phone) == .init(logins: [notice], isLimitReached: false))
            let answer = try await party.caller.answer(.confirm, to: notice, number: "42", phone)
            for _ in 0..<2 {
                let result = try await party.caller.finishRemoteLogin(answer).message(RemoteLoginResult.self)
                #expect(result == RemoteLoginResult(login: offer.id, state: .confirmed))
            }
            #expect(try await party.caller.remoteLogins(phone).logins.isEmpty)
            #expect(try await party.store.remoteLogin(offer.id)?.device == phone.id)
        }
    }

    @Test("A wrong number and a missing number end the login", arguments: ["41", "24", nil])
    func wrongNumber(number: String?) async throws {
        try await with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            let notice = try await party.notice(for: phone)
            let right = try await party.caller.answer(.confirm, to: notice, number: "42", phone)
            let wrong = try await party.caller.answer(.confirm, to: notice, number: number, phone)
            let result = try await party.caller.finishRemoteLogin(wrong).message(RemoteLoginResult.self)
            #expect(result.state == .numberWrong)
            try await party.caller.finishRemoteLogin(right).expectProblem(.remoteLoginEnded, 409)
            try await party.caller.beginRemoteLogin(notice.id, phone).expectProblem(.remoteLoginEnded, 409)
        }
    }

    @Test("A rejected login ends, with any number", arguments: ["42", nil])
    func rejected(number: String?) async throws {
        try await with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            let notice = try await party.notice(for: phone)
            let answer = try await party.caller.answer(.reject, to: notice, number: number, phone)
            let result = try await party.caller.finishRemoteLogin(answer).message(RemoteLoginResult.self)
            #expect(result.state == .rejected)
        }
    }

    @Test("A device of another user that scans the same code ends the login, and learns nothing about it")
    func contested() async throws {
        try await with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            let stranger = try await party.caller.newSession(of: Fixture.bob())
            let offer = try party.offer()
            let code = try party.codes.seal(offer)
            let notice = try await party.caller.claim(code, phone).message(RemoteLoginNotice.self)
            let answer = try await party.caller.answer(.confirm, to: notice, number: "42", phone)
            try await party.caller.claim(code, stranger).expectProblem(.remoteLoginEnded, 409)
            #expect(try await party.caller.remoteLogins(stranger).logins.isEmpty)
            try await party.caller.beginRemoteLogin(offer.id, stranger).expectProblem(.notFound, 404)
            try await party.caller.finishRemoteLogin(answer).expectProblem(.remoteLoginEnded, 409)
            try await party.caller.claim(code, phone).expectProblem(.remoteLoginEnded, 409)
            #expect(try await party.store.remoteLogin(offer.id)?.state == .contested)
        }
    }

    @Test("A second device of the same user sees the login and may decide it")
    func ownDevices() async throws {
        try await with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            let tablet = try await party.caller.newSession(of: Fixture.alice())
            let notice = try await party.notice(for: phone)
            #expect(try await party.caller.remoteLogins(tablet).logins == [notice])
            #expect(try await party.caller.confirmRemoteLogin(number: "42", tablet) == .confirmed)
            try await party.caller.beginRemoteLogin(notice.id, phone).expectProblem(.remoteLoginEnded, 409)
        }
    }

    @Test("Three requests of others wait for a user at a time, however many are made, and the device is told")
    func limit() async throws {
        try await with { party in
            let alice = try Fixture.alice()
            let phone = try await party.caller.newSession(of: alice)
            for index in 0..<1000 {
                let opening = try await party.ask(alice, party.offer())
                if case .opened = opening { #expect(index < 3) } else { #expect(opening == .tooMany && index >= 3) }
            }
            let list = try await party.caller.remoteLogins(phone)
            #expect(list.logins.count == 3 && list.isLimitReached)
            // Rejecting makes no room: the attacker would ask again at once.
            let answer = try await party.caller.answer(.reject, to: list.logins[0], phone)
            _ = try await party.caller.finishRemoteLogin(answer).message(RemoteLoginResult.self)
            #expect(try await party.ask(alice, party.offer()) == .tooMany)
            #expect(try await party.caller.remoteLogins(phone).isLimitReached)
            // The user can still scan a code.
            let own = try await party.notice(for: phone)
            #expect(try await party.caller.remoteLogins(phone).logins.contains(own))
            try await TestTime.after(RemoteLogin.life + .seconds(1)) {
                let later = try await party.caller.remoteLogins(phone)
                #expect(later == .init(logins: [], isLimitReached: false))
                let opening = try await party.ask(alice, party.offer())
                guard case .opened = opening else { Issue.record("no room after the requests expired"); return }
            }
        }
    }

    @Test("A code that is changed, expired or from another server is unknown")
    func foreignCode() async throws {
        try await with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            let good = try party.codes.seal(party.offer())
            let changed = try #require(RemoteLoginCode(rawValue: "A" + good.rawValue.dropFirst()))
            let foreign = try RemoteLoginCodes(keyring: .random()).seal(party.offer())
            let expired = try party.codes.seal(party.offer(life: .seconds(-1)))
            for code in [changed, foreign, expired] {
                try await party.caller.claim(code, phone).expectProblem(.notFound, 404)
            }
            let removed = OfferedRemoteLogin(
                id: .random(), client: try #require(ClientID(rawValue: "gone")), place: nil, number: .random(),
                requestedAt: TestTime.current,
                expiresAt: TestTime.current + .seconds(60))
            try await party.caller.claim(party.codes.seal(removed), phone).expectProblem(.notFound, 404)
        }
    }

    @Test("A signature is accepted only for the details, the login, the challenge and the purpose that it names")
    func wrongMessages() async throws {
        try await with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            let notice = try await party.notice(for: phone)
            let other = try await party.notice(for: phone, place: "198.51.100.1")
            func finish(_ change: (inout Draft) throws -> Void) async throws -> TestResponse {
                try await party.caller.finishRemoteLogin(
                    party.caller.answer(.confirm, to: notice, number: "42", phone, change))
            }
            try await finish { $0.payload["details_hash"] = other.details.hash.rawValue }
                .expectProblem(.remoteLoginChanged, 409)
            try await finish { $0.payload["login_id"] = other.id.rawValue }.expectProblem(.messageRefused, 403)
            try await finish { $0.payload["number"] = "4" }.expectProblem(.messageRefused, 403)
            try await finish { $0.payload["number"] = 42 }.expectProblem(.messageRefused, 403)
            try await finish { $0.payload["decision"] = "approve" }.expectProblem(.messageRefused, 403)
            try await finish { $0.header["typ"] = "nightlatch-transaction+jwt" }.expectProblem(.messageRefused, 403)
            #expect(try await party.store.remoteLogin(notice.id)?.state == .pending)
        }
    }
}
