import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NightlatchServer
import NightlatchWire
import Testing

@Suite("Refused requests in the audit log")
struct RefusalAuditTests {
    private func refusals(in store: MemoryStore) async throws -> [AuditEvent] {
        try await store.auditEntries(of: nil, before: nil, limit: 100).map(\.event).filter {
            $0.kind == .requestsRefused
        }
    }

    @Test("RP9: any number of refusals becomes one entry for each cause, and mistakes of form none")
    func counted() async throws {
        let store = MemoryStore(clock: TestTime.clock)
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
        // On a busy machine more than a minute may pass, and with it more than one entry.
        var counts: [ProblemCode: Int] = [:]
        for event in try await refusals(in: store) {
            #expect(event.actor == .server && event.user == nil)
            counts[try #require(event.problem), default: 0] += try #require(event.count)
        }
        #expect(counts == [.backendKeyRefused: 7, .dpopProofRefused: 3])
    }
}
