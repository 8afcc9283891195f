import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Refused requests in the audit log")
struct RefusalAuditTests {
    private func refusals(in store: MemoryRelyingPartyStore) async throws -> [AuditEvent] {
        try await store.auditEntries(of: nil, before: nil, limit: 100).map(\.event).filter {
            $0.kind == .requestsRefused
        }
    }

    @Test("Any number of refusals gives one entry for each cause, and malformed requests give none")
    func counted() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await TestRelyingParty.with(store, setup: .live) { caller in
            for _ in 0..<7 {
                let refused = try await caller.call(
                    .post, Route.enrolmentCodes.path,
                    headers: ["Authorization": "Bearer wrong", "Content-Type": "application/json"],
                    body: #"{"user":"alice"}"#)
                #expect(refused.status == .unauthorized)
            }
            for _ in 0..<3 {
                let refused = try await caller.form(
                    ["grant_type": "refresh_token", "refresh_token": "unknown", "client_id": "nightlatch"], to: .token)
                #expect(refused.status == .badRequest)
            }
            for _ in 0..<5 {
                #expect(try await caller.call(.get, "/nowhere").status == .notFound)
                #expect(try await caller.call(.post, Route.beginLogin.path, body: "{").status == .unsupportedMediaType)
            }
        }
        #expect(try await counts(in: store) == [.backendKeyRefused: 7, .dpopProofRefused: 3])
    }

    @Test("Wrong admin keys, forged sessions and cross-site forms at the console are counted too")
    func console() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let key = AdminKey.random()
        try await TestRelyingParty.with(store, setup: .live, adminKey: key) { (caller: TestCaller) async throws in
            var browser = ConsoleBrowser(caller)
            for wrong in ["", "short", AdminKey.random().rawValue] {
                #expect(try await browser.post("/console/sign-in", ["key": wrong]).status == .forbidden)
            }
            // A browser without a session is sent to the sign-in page, which is not recorded as a refusal.
            #expect(try await browser.get("/console/users").asksToSignIn)
            for _ in 0..<2 {
                browser.cookie = "__Host-nightlatch-console=forged"
                #expect(try await browser.get("/console/users").asksToSignIn)
            }
            browser.origin = ["Sec-Fetch-Site": "cross-site"]
            #expect(try await browser.post("/console/sign-in", ["key": key.rawValue]).status == .forbidden)
        }
        #expect(
            try await counts(in: store) == [
                ProblemCode(rawValue: "admin_key_refused"): 3, ProblemCode(rawValue: "console_session_refused"): 2,
                ProblemCode(rawValue: "console_form_refused"): 1,
            ])
    }

    @Test("Sign-ins of users who are no operators, and what a role does not allow, are counted too")
    func operators() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await TestRelyingParty.with(store, setup: .live, adminKey: .random()) { (caller: TestCaller) async throws in
            let party = OperatorParty(store: store, caller: caller, adminKey: .random())
            let phone = try await party.phone(of: Fixture.alice(), nil)
            var browser = OperatorBrowser(caller)
            #expect(try await browser.signIn(phone).status == .forbidden)
            try await party.set(.viewer, of: phone.user)
            #expect(try await browser.get("/console/operators").asksToSignIn)
            #expect(try await browser.signIn(phone).status == .seeOther)
            for _ in 0..<2 { #expect(try await browser.get("/console/operators").status == .forbidden) }
        }
        let counts = try await counts(in: store)
        #expect(counts[ProblemCode(rawValue: "no_operator")] == 1)
        #expect(counts[ProblemCode(rawValue: "operator_role_missing")] == 2)
    }

    private func counts(in store: MemoryRelyingPartyStore) async throws -> [ProblemCode: Int] {
        // On a busy machine this may take more than a minute, so there may be more than one entry.
        var counts: [ProblemCode: Int] = [:]
        for event in try await refusals(in: store) {
            #expect(event.actor == .server && event.user == nil)
            counts[try #require(event.problem), default: 0] += try #require(event.count)
        }
        return counts
    }
}
