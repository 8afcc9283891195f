import Foundation
import NightlatchWire
import Testing

@Suite("Policies")
struct PolicyTests {
    private static let full =
        #"{"authenticators":["biometrics","pin"],"hardware":"required","least_app_version":"2.10.1","#
        + #""lockout_policy":"payment","pin_distinct_digits":4,"pin_lengths":{"least":6,"most":8},"#
        + #""pin_tiers":["chip","two_party"]}"#

    @Test("A policy has exactly the documented names")
    func names() throws {
        var policy = Policy()
        try expectSame(policy, "{}")
        policy.authenticators = PolicyChoice([.pin, .biometrics])
        policy.hardware = .required
        policy.leastAppVersion = AppVersion(rawValue: "2.10.1")
        policy.lockoutPolicy = .payment
        policy.distinctDigits = PolicyDistinctDigits(rawValue: 4)
        policy.pinLengths = PolicyPinLengths(6...8)
        policy.pinTiers = PolicyChoice([.twoParty, .chip])
        try expectSame(policy, Self.full)
        #expect(policy.facts.map { $0.member } == Policy.Member.allCases)
        #expect(
            policy.facts.map { $0.value } == [
                "biometrics, pin", "required", "2.10.1", "payment", "4", "6-8", "chip, two_party",
            ])
        #expect(Policy.Member.allCases.map(\.rawValue) == Policy.Member.allCases.map(\.rawValue).sorted())
    }

    @Test("Each member of the user's policy replaces that of the app's, and only that")
    func override() throws {
        let app = try read(Self.full)
        let user = try read(#"{"pin_lengths":{"least":8,"most":8}}"#)
        let both = app.overridden(by: user)
        #expect(both.members(changedFrom: app) == [.pinLengths])
        #expect(both.pinLengths?.range == 8...8)
        #expect(app.overridden(by: Policy()) == app)
        #expect(Policy().overridden(by: app) == app)
    }

    @Test("A device names what it does not know, and keeps the rest")
    func ignored() throws {
        let received = try StrictJSON.decode(
            ReceivedPolicy.self,
            from: Data(
                #"""
                {"pin_history":{"count":5},"authenticators":["pin","passkey"],"hardware":"preferred",\#
                "lockout_policy":"bank","pin_tiers":["orbit"]}
                """#.utf8))
        #expect(
            received.ignoredMembers == [
                "authenticators.passkey", "lockout_policy.bank", "pin_history", "pin_tiers.orbit",
            ])
        var expected = Policy()
        expected.authenticators = PolicyChoice([.pin])
        expected.hardware = .preferred
        #expect(received.policy == expected)
    }

    @Test(
        "The relying party refuses a policy with a name that it does not know",
        arguments: [
            #"{"pin_history":5}"#, #"{"lockout_policy":"bank"}"#, #"{"authenticators":["pin","passkey"]}"#,
        ])
    func unknown(json: String) {
        #expect(throws: StrictJSONError.self) { try read(json) }
    }

    @Test(
        "A policy that breaks a rule is refused whole, also by a device",
        arguments: [
            "[]", #"{"hardware":null}"#, #"{"Hardware":"required"}"#, #"{"pin_lengths":{"least":8,"most":6}}"#,
            #"{"pin_lengths":{"least":3,"most":6}}"#, #"{"pin_lengths":{"least":6,"most":13}}"#,
            #"{"pin_lengths":{"least":9223372036854775807,"most":-9223372036854775808}}"#,
            #"{"authenticators":["biometrics"]}"#, #"{"authenticators":[]}"#, #"{"pin_tiers":["chip","chip"]}"#,
            #"{"pin_distinct_digits":6}"#, #"{"least_app_version":"1..2"}"#, #"{"lockout_policy":"Two Words"}"#,
        ])
    func refused(json: String) {
        #expect(throws: StrictJSONError.self) {
            try StrictJSON.decode(ReceivedPolicy.self, from: Data(json.utf8))
        }
    }

    @Test("A policy has at most 32 members")
    func tooMany() throws {
        func json(_ count: Int) -> Data {
            Data(("{" + (0..<count).map { "\"m\($0)\":1" }.joined(separator: ",") + "}").utf8)
        }
        #expect(try StrictJSON.decode(ReceivedPolicy.self, from: json(32)).ignoredMembers.count == 32)
        #expect(throws: StrictJSONError.self) { try StrictJSON.decode(ReceivedPolicy.self, from: json(33)) }
    }

    @Test("Versions are compared number by number")
    func versions() throws {
        let versions = try ["0.9", "1", "1.0.1", "1.2", "1.10", "2", "999999999.0.0.1"].map(version)
        #expect(versions.sorted() == versions)
        #expect(try version("1.2") == version("1.2.0.0"))
        #expect(try version("1.2").hashValue == version("1.2.0").hashValue)
        #expect(try version("1.2") != version("1.3"))
        #expect(try version("1.2.0").rawValue == "1.2.0")
        for text in ["", ".", "1.", "01", "1.2.3.4.5", "1234567890", "1a", "-1", "1 ", "+1", "１"] {
            #expect(AppVersion(rawValue: text) == nil, "\(text)")
        }
    }

    @Test("A revision increases, and follows the clock")
    func revisions() throws {
        let time = NumericDate(secondsSince1970: 1_800_000_000)
        let first = PolicyRevision.first.following(at: time)
        #expect(first.rawValue == 1_800_000_000_000)
        for seconds in [1_800_000_000, 5, .min, .max, .max / 1000] {
            let second = first.following(at: NumericDate(secondsSince1970: seconds))
            #expect(second.rawValue == 1_800_000_000_001, "\(seconds)")
        }
    }

    private func version(_ text: String) throws -> AppVersion { try #require(AppVersion(rawValue: text)) }

    private func read(_ json: String) throws -> Policy { try StrictJSON.decode(Policy.self, from: Data(json.utf8)) }
}
