import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Signed texts and claims in journeys")
struct JourneySignedTextTests {
    private let routes = JourneyRouteTests()

    private func bind(
        _ phone: JourneyPhone,
        in store: MemoryStore,
        as protection: JourneyKeyProtection? = nil
    ) async throws {
        let device = try TestJourneys.device(
            phone.id, of: try Fixture.alice(), key: phone.key, protection: protection)
        #expect(try await store.recordJourneyStep(TestJourneys.binding(device)) == .recorded)
    }

    private static func sign(
        _ journey: String,
        with phone: JourneyPhone,
        claims: [JSONObject.Member] = [],
        at caller: TestCaller
    ) async throws -> TestResponse {
        let asked = try await JourneyRouteTests.begin(journey, at: caller)
        let message = try phone.message(JourneyPhone.challenge(in: asked), more: claims)
        return try await JourneyRouteTests.answer(asked, [.string(message)], at: caller)
    }

    @Test("A text that a client chose may have been signed long ago, so it does not log in an unknown user")
    func signedAhead() async throws {
        let (store, phone) = (MemoryStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        try await bind(phone, in: store)
        try await routes.withCaller(store) { caller in
            let unknown = try await JourneyRouteTests.answer(
                JourneyRouteTests.begin("pay", at: caller), [.string("Pay 1 EUR")], at: caller)
            #expect(unknown.status == .unauthorized, "\(unknown.text)")
            let known = try await Self.sign("sign-pay", with: phone, at: caller)
            let asked = try await JourneyRouteTests.answer(known, [.string("Pay 1 EUR")], at: caller)
            let paid = try await JourneyRouteTests.answer(asked, [.string(phone.message("Pay 1 EUR"))], at: caller)
            #expect(paid.status == .ok, "\(paid.text)")
        }
    }

    @Test("A journey of a known session fails once that session has ended, even after a text was signed")
    func endedSession() async throws {
        let (store, phone) = (MemoryStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        try await bind(phone, in: store)
        try await routes.withCaller(store) { caller in
            let headers = ["iPlanetDirectoryPro": try await JourneyRouteTests.logIn(at: caller)]
            let asked = try await JourneyRouteTests.answer(
                JourneyRouteTests.begin("pay", at: caller, headers: headers), [.string("Pay 1 EUR")], at: caller)
            let ended = try await caller.call(.post, "/json/realms/root/sessions?_action=logout", headers: headers)
            #expect(ended.status == .ok)
            let late = try await JourneyRouteTests.answer(asked, [.string(phone.message("Pay 1 EUR"))], at: caller)
            #expect(late.status == .unauthorized)
        }
    }

    @Test("For a session the backend sees the signed text, the claims, the key and the time")
    func information() async throws {
        let (store, phone) = (MemoryStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        try await bind(phone, in: store)
        try await routes.withCaller(store) { caller in
            let headers = ["iPlanetDirectoryPro": try await JourneyRouteTests.logIn(at: caller)]
            let path = "/json/realms/root/sessions?_action=getSessionInfo"
            let unsigned = try await caller.call(.post, path, headers: headers)
            #expect(unsigned.text.hasSuffix(#""journey":"login"}"#), "\(unsigned.text)")
            let asked = try await JourneyRouteTests.answer(
                JourneyRouteTests.begin("pay", at: caller, headers: headers), [.string("Pay “1” EUR")], at: caller)
            let message = try phone.message(
                "Pay “1” EUR", more: [.init("amount", .number("1.00")), .init("platform", .string("ios"))])
            let done = try await JourneyRouteTests.answer(asked, [.string(message)], at: caller)
            let json = try StrictJSON.decode(JSONValue.self, from: Data(done.text.utf8))
            let token = try #require(json["tokenId"]?.string, "\(done.text)")
            let signed = try await caller.call(.post, path, headers: ["iPlanetDirectoryPro": token])
            let moment = TestTime.current.date.formatted(.iso8601)
            let expected =
                #""journey":"pay","signedBy":"a","signed":{"challenge":"Pay “1” EUR","claims":{"amount":1.00},"#
                + #""at":"\#(moment)"}}"#
            #expect(signed.text.hasSuffix(expected), "\(signed.text)")
        }
    }

    @Test(
        "A signed number is compared digit by digit, and a text never equals it",
        arguments: [
            (JSONValue.number("100.00"), true), (.number("100.0"), false), (.number("1e2"), false),
            (.integer(100), false),
            (.string("100.00"), false), (.number("100.000000000000000001"), false),
        ])
    func numbers(amount: JSONValue, isRight: Bool) async throws {
        let (store, phone) = (MemoryStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        try await bind(phone, in: store)
        try await routes.withCaller(store) { caller in
            let claims = [
                JSONObject.Member("amount", amount), .init("account", .number("12345678901234567890")),
                .init("other", .array([.number("12345678901234567891"), .number("-0.0e+1")])),
            ]
            let answer = try await Self.sign("sign-number", with: phone, claims: claims, at: caller)
            #expect((answer.status == .ok) == isRight, "\(answer.text)")
        }
        let entry = try await store.auditEntries(of: try Fixture.alice(), before: nil, limit: 1).first
        if isRight {
            let expected =
                #"{"amount":100.00,"account":12345678901234567890,"other":[12345678901234567891,-0.0e+1]}"#
            let signed = try await store.auditEntries(of: try Fixture.alice(), before: nil, limit: 10)
                .first { $0.event.kind == .journeySigned }
            #expect(signed?.event.claims == expected)
        } else {
            #expect(entry?.event.kind != .journeyLoggedIn)
        }
    }

    @Test(
        """
        A binding's claims reach the next node and the audit log, but the client's own description reaches only the \
        node
        """)
    func boundClaims() async throws {
        let (store, phone) = (MemoryStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        try await routes.withCaller(store) { caller in
            let headers = ["iPlanetDirectoryPro": try await JourneyRouteTests.logIn(at: caller)]
            let asked = try await JourneyRouteTests.begin("bind-claims", at: caller, headers: headers)
            let answer = try phone.binding(
                JourneyPhone.challenge(in: asked),
                more: [
                    .init("model", .string("X")), .init("platform", .string("ios")),
                    .init("android-version", .integer(35)),
                ])
            let done = try await JourneyRouteTests.answer(asked, [answer], at: caller)
            #expect(done.status == .ok, "\(done.text)")
        }
        let alice = try Fixture.alice()
        let bound = try await store.auditEntries(of: alice, before: nil, limit: 10)
            .first { $0.event.kind == .journeyDeviceBound }
        #expect(bound?.event.claims == #"{"model":"X"}"#)
        #expect(try await store.journeyDevices(of: alice).first?.protection == .biometricOnly)
    }

    @Test(
        "A journey can refuse a key bound with another protection than it requires",
        arguments: [(JourneyKeyProtection.biometricOnly, true), (.unprotected, false), (nil, false)])
    func protection(protection: JourneyKeyProtection?, isRight: Bool) async throws {
        let (store, phone) = (MemoryStore(clock: TestTime.clock), JourneyPhone(id: "a"))
        try await bind(phone, in: store, as: protection)
        try await routes.withCaller(store) { caller in
            let answer = try await Self.sign("sign-biometric", with: phone, at: caller)
            #expect((answer.status == .ok) == isRight, "\(answer.text)")
        }
    }
}
