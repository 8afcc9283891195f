import Nightlatch
import NightlatchJourney
import NightlatchTesting
import Testing

@Suite("Ending a journey's session")
struct LogoutTests {
    enum Ending: Sendable, CaseIterable {
        case logout, signOff, journeySignOff

        func end(_ journey: Journey, _ user: any User) async {
            switch self {
            case .logout: await user.logout()
            case .signOff: _ = await journey.signOff()
            case .journeySignOff: _ = await journey.journeySignOff()
            }
        }
    }

    private let phone = TokenPhone()
    private var server: TokenServer { phone.server }

    @Test(
        "A caller gets no new tokens while the session is ended, and none after it", arguments: Ending.allCases,
        [TokenServer.Endpoint.revoke, .sessions])
    func callerDuringLogout(_ ending: Ending, at place: TokenServer.Endpoint) async throws {
        let queued = QueuedCalls()
        let journey = phone.journey { queued.observe($0) }
        let user = try await phone.user(of: journey)
        _ = try await user.token().get()
        let gate = server.hold(place)
        let end = Task { await ending.end(journey, user) }
        await gate.arrival()
        #expect(await journey.session() == nil)
        #expect(!server.hasCookie)
        let late = Task { await user.refresh() }
        // The first token, the revocation and the late call.
        await queued.wait(for: 3)
        gate.open()
        await end.value
        await #expect(throws: OidcError.self) { try await late.value.get() }
        await #expect(throws: OidcError.self) { try await user.token().get() }
        #expect(server.requests(to: .authorize).count == 1)
        for store in phone.allStores.values { #expect(try await store.read() == nil) }
    }

    @Test("A call that waits while the session is deleted does not use the session any more")
    func waitingCall() async throws {
        let queued = QueuedCalls()
        let journey = phone.journey { queued.observe($0) }
        let user = try await phone.user(of: journey)
        _ = try await user.token().get()
        let gate = server.hold(.revoke)
        let revocation = Task { await user.revoke() }
        await gate.arrival()
        let late = Task { await user.token() }
        await queued.wait(for: 3)
        await journey.deleteSession()
        gate.open()
        await revocation.value
        await #expect(throws: OidcError.self) { try await late.value.get() }
        #expect(server.requests(to: .authorize).count == 1)
    }

    @Test("A logout removes everything here before it asks the server", arguments: [Ending.logout, .journeySignOff])
    func localFirst(_ ending: Ending) async throws {
        let journey = phone.journey()
        let user = try await phone.user(of: journey)
        _ = try await user.token().get()
        let gate = server.hold(.revoke)
        let end = Task { await ending.end(journey, user) }
        await gate.arrival()
        for store in phone.allStores.values { #expect(try await store.read() == nil) }
        #expect(await phone.journey().journeyUser() == nil, "the app was ended and started again")
        end.cancel()
        gate.open()
        await end.value
        #expect(server.requests(to: .sessions).map { $0.headers["386c0d288bac4b9"] } == ["session-1"])
    }

    @Test("The vendor's sign-off removes everything here in any case, and reports the error of the server")
    func vendorSignOff() async throws {
        let journey = phone.journey()
        _ = try await phone.user(of: journey).token().get()
        server.script(.sessions, .lost)
        await #expect(throws: JourneyError.self) { try await journey.journeySignOff().get() }
        #expect(await journey.journeyUser() == nil)
        for store in phone.allStores.values { #expect(try await store.read() == nil) }
        try await journey.journeySignOff().get()
        #expect(server.requests(to: .sessions).count == 1)
    }

    @Test("A session that was put back after a sign-off without an answer is used and stored as before")
    func repeatedSignOff() async throws {
        let journey = phone.journey()
        let user = try await phone.user(of: journey)
        server.script(.sessions, .lost)
        await #expect(throws: JourneyError.self) { try await journey.signOff().get() }
        #expect(try await user.token().get().accessToken == "access-1")
        #expect(await phone.journey().session()?.value == "session-1")
        try await journey.signOff().get()
        #expect(await phone.journey().journeyUser() == nil)
    }

    @Test("A start that was sent before a logout does not bring the session back")
    func lateStart() async throws {
        let journey = phone.journey()
        let user = try await phone.user(of: journey)
        let gate = server.hold(.authenticate)
        server.script(.authenticate, .response(200, #"{"tokenId":"session-1","successUrl":"/","realm":"/alpha"}"#))
        let start = Task { await journey.start("Login") is SuccessNode }
        await gate.arrival()
        await user.logout()
        gate.open()
        #expect(await start.value)
        #expect(await journey.journeyUser() == nil)
    }

    @Test("Neither a deleted nor an ended session remains in the transport's cookies")
    func cookies() async throws {
        let journey = phone.journey()
        for ending in Ending.allCases {
            let user = try await phone.user(of: journey)
            #expect(server.hasCookie)
            server.script(.sessions, .lost)
            await ending.end(journey, user)
            #expect(!server.hasCookie)
        }
        _ = try await phone.user(of: journey)
        await journey.deleteSession()
        #expect(!server.hasCookie)
    }

    @Test("A user of an earlier login gets no tokens, and neither revokes nor ends the later login")
    func earlierUser() async throws {
        let journey = phone.journey()
        let alice = try await phone.user(of: journey)
        _ = try await alice.token().get()
        server.logIn(as: "bob")
        let bob = try await phone.user(of: journey)
        let token = try await bob.token().get()
        await #expect(throws: OidcError.self) { try await alice.token().get() }
        await #expect(throws: OidcError.self) { try await alice.refresh().get() }
        await #expect(throws: OidcError.self) { try await alice.userinfo(cache: true).get() }
        await alice.revoke()
        await alice.logout()
        #expect(try await bob.token().get() == token)
        #expect(await journey.session()?.value == "session-2")
        #expect(server.requests(to: .sessions).isEmpty && server.requests(to: .authorize).count == 2)
    }

    @Test("A logout that waits for the server leaves the tokens of the next login alone")
    func loginDuringLogout() async throws {
        let queued = QueuedCalls()
        let journey = phone.journey { queued.observe($0) }
        let alice = try await phone.user(of: journey)
        let gate = server.hold(.token)
        let first = Task { await alice.token() }
        await gate.arrival()
        let end = Task { await alice.logout() }
        await queued.wait(for: 2)
        server.logIn(as: "bob")
        let bob = try await phone.user(of: journey)
        gate.open()
        await end.value
        _ = await first.value
        _ = try await bob.token().get()
        #expect(await journey.session()?.value == "session-2")
        #expect(server.requests(to: .revoke).map { TokenServer.form(of: $0)["token"] } == ["refresh-1"])
    }
}
