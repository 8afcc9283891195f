import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Dates, key uses and names in a binding message")
struct JourneyFormTests {
    private let routes = JourneyRouteTests()

    /// Returns the devices of alice after `message` has answered a binding node.
    private func devices(
        named name: String = "Phone",
        message: @escaping @Sendable (_ phone: JourneyPhone, _ challenge: String) throws -> String
    ) async throws -> [JourneyDevice] {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await routes.withCaller(store) { caller in
            let headers = ["iPlanetDirectoryPro": try await JourneyRouteTests.logIn(at: caller)]
            let asked = try await JourneyRouteTests.begin("bind-now", at: caller, headers: headers)
            let text = try message(JourneyPhone(id: "a"), JourneyPhone.challenge(in: asked))
            let values: [JSONValue] = [.string(text), .string(name), .string("machine"), .string("")]
            let done = try await JourneyRouteTests.answer(asked, [.array(values)], at: caller)
            let isBound = try await !store.journeyDevices(of: Fixture.alice()).isEmpty
            #expect(done.status == (isBound ? .ok : .unauthorized))
        }
        return try await store.journeyDevices(of: Fixture.alice())
    }

    /// The dates are given in seconds from now.
    @Test(
        "A date may have a fraction, as in RFC 7519, which is rounded down to the second",
        arguments: [
            (["exp": "60.999"], true), (["exp": "60", "iat": "0.5", "nbf": "-0.25"], true),
            (["exp": "120.5"], true), (["exp": "121.5"], false), (["exp": "-29.5"], false), (["exp": "-28.5"], true),
            (["exp": "60", "nbf": "30.9"], true), (["exp": "60", "iat": "31.1"], false),
        ] as [([String: String], Bool)])
    func dates(offsets: [String: String], isBound: Bool) async throws {
        let devices = try await devices { phone, challenge in
            let dates = try offsets.sorted { $0.key < $1.key }.map { name, offset in
                let moment = Decimal(TestTime.current.secondsSince1970) + (try #require(Decimal(string: offset)))
                return JSONObject.Member(name, .number("\(moment)"))
            }
            return try phone.message(challenge, dates: dates, binds: true)
        }
        #expect(devices.isEmpty != isBound)
    }

    @Test("A malformed date is refused", arguments: ["1e400", "-0.5", "253402300800", #""60""#, "null", "true"])
    func noDate(text: String) async throws {
        let value = try StrictJSON.decode(JSONValue.self, from: Array(text.utf8))
        let devices = try await devices { phone, challenge in
            try phone.message(challenge, dates: [.init("exp", value)], binds: true)
        }
        #expect(devices.isEmpty)
    }

    @Test(
        "A key whose uses do not include verifying, or that is malformed, is not bound",
        arguments: [
            (#"["verify"]"#, true), (#"["sign","verify"]"#, true), ("null", true), (#"["encrypt"]"#, false),
            (#"["sign"]"#, false), ("[]", false), (#""verify""#, false), ("[1]", false),
        ])
    func operations(text: String, isBound: Bool) async throws {
        let value = try StrictJSON.decode(JSONValue.self, from: Array(text.utf8))
        let devices = try await devices { phone, challenge in
            try phone.message(challenge, binds: true, aboutKey: [.init("key_ops", value)])
        }
        #expect(devices.isEmpty != isBound)
    }

    @Test(
        "A device name that is too long is cut after a whole character, and one that cannot be shown is replaced",
        arguments: [
            ("Phone", "Phone"), (String(repeating: "a", count: 64), String(repeating: "a", count: 64)),
            (String(repeating: "a", count: 65), String(repeating: "a", count: 64)),
            // Each is one character of 25 bytes.
            (String(repeating: "👨‍👩‍👧‍👦", count: 20), String(repeating: "👨‍👩‍👧‍👦", count: 10)),
            (String(repeating: "é", count: 70), String(repeating: "é", count: 64)),
            (String(repeating: "e\u{301}", count: 70), String(repeating: "e\u{301}", count: 64)),
            ("Phone\u{0}", "Device Name"),
            (String(repeating: "a", count: 64) + "\u{0}", String(repeating: "a", count: 64)),
            ("", "Device Name"), (" ", "Device Name"), ("👨" + String(repeating: "\u{200D}👩", count: 40), "Device Name"),
        ])
    func names(name: String, shown: String) async throws {
        let devices = try await devices(named: name) { phone, challenge in try phone.message(challenge, binds: true) }
        #expect(devices.map { Array($0.name.rawValue.utf8) } == [Array(shown.utf8)])
    }
}
