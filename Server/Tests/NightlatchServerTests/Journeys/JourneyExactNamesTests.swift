import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Names in journeys are compared byte for byte")
struct JourneyExactNamesTests {
    /// The letter K in these names has a twin that Unicode treats as equivalent, and é is one character or two.
    private static let file = #"""
        {
          "realm": "K1", "applicationIds": ["com.Kiosk.app"], "readyMade": ["login", "bind"],
          "journeys": {
            "claim": {
              "start": "sign",
              "nodes": {
                "sign": {
                  "type": "DeviceSigningVerifierNode", "clientErrorOutcomes": ["Kaputt"],
                  "outcomes": {
                    "success": "decide", "failure": "failure", "noDeviceRegistered": "failure",
                    "keyNotFound": "failure", "Kaputt": "told"
                  }
                },
                "decide": {
                  "type": "StateDecisionNode", "attribute": "DeviceSigningVerifierNode.CLAIMS.\#u{E9}tat", "equals": "1",
                  "outcomes": {"true": "success", "false": "failure"}
                },
                "told": {"type": "TextInputNode", "attribute": "told", "outcomes": {"outcome": "failure"}}
              }
            }
          }
        }
        """#
    private static let path = "/json/realms/K1/authenticate"
    private static let kelvin = "\u{212A}"

    private func withCaller(_ body: @escaping @Sendable (TestCaller) async throws -> Void) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.passwordHashing = PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero)
        configuration.journeys = try JourneyConfiguration(Data(Self.file.utf8))
        try await TestRelyingParty.with(
            MemoryRelyingPartyStore(clock: TestTime.clock), configuration: configuration
        ) { caller in
            let password = try #require(Password(rawValue: "correct horse"))
            let set = try await caller.post(
                Credentials(user: try Fixture.alice(), password: password), to: .setPassword,
                headers: ["Authorization": "Bearer " + caller.backendKey.rawValue])
            #expect(set.status == .ok)
            try await body(caller)
        }
    }

    private static func phone() -> JourneyPhone {
        JourneyPhone(id: "a", subject: "id=alice,ou=user,o=K1,ou=services,ou=am-config", application: "com.Kiosk.app")
    }

    private static func bind(_ phone: JourneyPhone, at caller: TestCaller) async throws -> HTTPResponse.Status {
        let page = try await JourneyRouteTests.begin("bind", at: caller, path: path)
        let asked = try await JourneyRouteTests.answer(
            page, [.string("alice"), .string("correct horse")], at: caller, path: path)
        let answer = try phone.binding(JourneyPhone.challenge(in: asked))
        return try await JourneyRouteTests.answer(asked, [answer], at: caller, path: path).status
    }

    private static func sign(
        _ phone: JourneyPhone,
        claim: String = "\u{E9}tat",
        at caller: TestCaller
    ) async throws -> HTTPResponse.Status {
        let asked = try await JourneyRouteTests.begin("claim", at: caller, path: path)
        let message = try phone.message(JourneyPhone.challenge(in: asked), more: [.init(claim, .string("1"))])
        return try await JourneyRouteTests.answer(asked, [.string(message)], at: caller, path: path).status
    }

    @Test("An app id or a user that is only Unicode-equivalent to the right one can neither bind nor sign")
    func twins() async throws {
        try await withCaller { caller in
            let good = Self.phone()
            var (otherApp, otherUser) = (good, good)
            otherApp.application = "com.\(Self.kelvin)iosk.app"
            otherUser.subject = "id=alice,ou=user,o=\(Self.kelvin)1,ou=services,ou=am-config"
            // Swift's equality treats them as equal, which is why the server must not use it.
            #expect(otherApp.application == good.application && otherUser.subject == good.subject)
            for phone in [otherApp, otherUser] {
                let status = try await Self.bind(phone, at: caller)
                #expect(status == .unauthorized)
            }
            let bound = try await Self.bind(good, at: caller)
            #expect(bound == .ok)
            for phone in [otherApp, otherUser] {
                let status = try await Self.sign(phone, at: caller)
                #expect(status == .unauthorized)
            }
            let signed = try await Self.sign(good, at: caller)
            #expect(signed == .ok)
        }
    }

    @Test("A claim is read under the exact signed name, not under an equivalent one")
    func claims() async throws {
        try await withCaller { caller in
            let phone = Self.phone()
            let bound = try await Self.bind(phone, at: caller)
            #expect(bound == .ok)
            let twin = try await Self.sign(phone, claim: "e\u{301}tat", at: caller)
            #expect(twin == .unauthorized)
            let right = try await Self.sign(phone, at: caller)
            #expect(right == .ok)
        }
    }

    @Test("A client's outcome must match the exact name", arguments: [("Kaputt", true), ("\u{212A}aputt", false)])
    func outcome(name: String, isKnown: Bool) async throws {
        try await withCaller { caller in
            let asked = try await JourneyRouteTests.begin("claim", at: caller, path: Self.path)
            let answer = try await JourneyRouteTests.answer(
                asked, [.array([.string(""), .string(name)])], at: caller, path: Self.path)
            #expect((answer.status == .ok) == isKnown, "\(answer.text)")
        }
    }
}
