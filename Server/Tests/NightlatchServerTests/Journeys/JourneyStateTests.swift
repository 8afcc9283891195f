import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("State that a journey carries")
struct JourneyStateTests {
    private static let file = #"""
        {
          "readyMade": ["login"], "applicationIds": ["com.example.app"],
          "journeys": {
            "long": {
              "start": "later",
              "nodes": {
                "later": {
                  "type": "DeviceBindingNode", "postponeDeviceProfileStorage": true, "clientErrorOutcomes": [],
                  "outcomes": {"success": "sign", "failure": "failure"}
                },
                "sign": {
                  "type": "DeviceSigningVerifierNode", "clientErrorOutcomes": [],
                  "outcomes": {
                    "success": "pause", "failure": "failure", "noDeviceRegistered": "failure", "keyNotFound": "failure"
                  }
                },
                "pause": {"type": "TextInputNode", "attribute": "pause", "outcomes": {"outcome": "pending"}},
                "pending": {
                  "type": "StateDecisionNode", "attribute": "DeviceBindingNode.CLAIMS.model", "equals": "later",
                  "outcomes": {"true": "store", "false": "failure"}
                },
                "store": {"type": "DeviceBindingStorageNode", "outcomes": {"true": "stored", "false": "failure"}},
                "stored": {
                  "type": "StateDecisionNode", "attribute": "DeviceBindingNode.CLAIMS.model", "equals": "later",
                  "outcomes": {"true": "signed", "false": "failure"}
                },
                "signed": {
                  "type": "StateDecisionNode", "attribute": "DeviceSigningVerifierNode.CLAIMS.model", "equals": "sign",
                  "outcomes": {"true": "platform", "false": "failure"}
                },
                "platform": {
                  "type": "StateDecisionNode", "attribute": "DeviceBindingNode.CLAIMS.platform", "equals": "ios",
                  "outcomes": {"true": "success", "false": "failure"}
                }
              }
            },
            "both": {
              "start": "later",
              "nodes": {
                "later": {
                  "type": "DeviceBindingNode", "postponeDeviceProfileStorage": true, "clientErrorOutcomes": [],
                  "outcomes": {"success": "now", "failure": "failure"}
                },
                "now": {
                  "type": "DeviceBindingNode", "clientErrorOutcomes": [],
                  "outcomes": {"success": "pause", "failure": "failure"}
                },
                "pause": {"type": "TextInputNode", "attribute": "pause", "outcomes": {"outcome": "store"}},
                "store": {"type": "DeviceBindingStorageNode", "outcomes": {"true": "last", "false": "failure"}},
                "last": {
                  "type": "StateDecisionNode", "attribute": "DeviceBindingNode.CLAIMS.model", "equals": "now",
                  "outcomes": {"true": "success", "false": "failure"}
                }
              }
            }
          }
        }
        """#

    private func withCaller(
        _ store: MemoryRelyingPartyStore,
        _ body: @escaping @Sendable (TestCaller) async throws -> Void
    ) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.passwordHashing = PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero)
        configuration.journeys = try JourneyConfiguration(Data(Self.file.utf8))
        try await TestRelyingParty.with(store, configuration: configuration, body)
    }

    /// Returns claims of the largest size, with a model name that identifies them.
    private static func claims(_ model: String) -> [JSONObject.Member] {
        [
            .init("model", .string(model)), .init("text", .string(String(repeating: "x", count: 4000))),
            .init("platform", .string("ios")),
        ]
    }

    @Test("A binding and a signature with the maximum of claims fit into one journey and stay readable")
    func large() async throws {
        let (store, signer) = (MemoryRelyingPartyStore(clock: TestTime.clock), JourneyPhone(id: "signer"))
        let device = try TestJourneys.device("signer", of: try Fixture.alice(), key: signer.key)
        #expect(try await store.recordJourneyStep(TestJourneys.binding(device)) == .recorded)
        try await withCaller(store) { caller in
            let headers = ["iPlanetDirectoryPro": try await JourneyRouteTests.logIn(at: caller)]
            let later = try await JourneyRouteTests.begin("long", at: caller, headers: headers)
            let binding = try JourneyPhone(id: "later").binding(
                JourneyPhone.challenge(in: later), more: Self.claims("later"))
            let sign = try await JourneyRouteTests.answer(later, [binding], at: caller)
            let message = try signer.message(JourneyPhone.challenge(in: sign), more: Self.claims("sign"))
            let pause = try await JourneyRouteTests.answer(sign, [.string(message)], at: caller)
            #expect(pause.status == .ok, "\(pause.text)")
            let done = try await JourneyRouteTests.answer(
                pause, [.string(String(repeating: "y", count: 2000))], at: caller)
            #expect(done.status == .ok, "\(done.text)")
        }
        let bound = try await store.journeyDevices(of: Fixture.alice()).map(\.id.rawValue)
        #expect(Set(bound) == ["signer", "later"])
    }

    @Test("Each of two bindings keeps its own claims, and nodes read those of the last one")
    func both() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await withCaller(store) { caller in
            let headers = ["iPlanetDirectoryPro": try await JourneyRouteTests.logIn(at: caller)]
            var asked = try await JourneyRouteTests.begin("both", at: caller, headers: headers)
            for name in ["later", "now"] {
                let binding = try JourneyPhone(id: name).binding(
                    JourneyPhone.challenge(in: asked), more: [.init("model", .string(name))])
                asked = try await JourneyRouteTests.answer(asked, [binding], at: caller)
            }
            let done = try await JourneyRouteTests.answer(asked, [.string("go on")], at: caller)
            #expect(done.status == .ok, "\(done.text)")
        }
        let bound = try await store.auditEntries(of: try Fixture.alice(), before: nil, limit: 10).map(\.event)
            .filter { $0.kind == .journeyDeviceBound }
        #expect(Set(bound.compactMap(\.claims)) == [#"{"model":"later"}"#, #"{"model":"now"}"#])
    }
}
