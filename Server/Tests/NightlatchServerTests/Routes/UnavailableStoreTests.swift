import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("A store that cannot be written")
struct UnavailableStoreTests {
    @Test(
        "Every route that needs the store says whether to try again, and accepts nothing",
        arguments: [
            (RelyingPartyStoreError.Kind.unavailable, true), (.full, true), (.readOnly, true), (.corrupt, false),
            (.tooNew, false),
            (.defect, false),
        ])
    func unwritable(kind: RelyingPartyStoreError.Kind, mayPass: Bool) async throws {
        let (code, status) = mayPass ? (ProblemCode.unavailable, 503) : (.internalError, 500)
        let word: OAuthError.Word = mayPass ? .temporarilyUnavailable : .serverError
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let masterKey = MasterKey.random()
            let (alice, device, late) = (try Fixture.alice(), TestDevice(), TestDevice())
            let good = try SQLiteStore(path: path, clock: TestTime.clock)
            try await TestRelyingParty.with(good, masterKey: masterKey) { caller in
                let id = try await caller.bind(device, to: alice)
                let grant = try await caller.logIn(device, id: id, user: alice).message(TokenGrant.self)
                let enrolmentCode = try await caller.code(for: alice)
                let transaction = TransactionID.random()
                _ = try await caller.create(TestTransaction.details(), id: transaction, for: alice)
                    .message(TransactionReport.self)
                let session = TestSession(device: device, id: id, user: alice, token: grant.accessToken)

                // The first server added the signing key, which needs to write, so the second one can start.
                let broken = BrokenStore(reading: good, failure: RelyingPartyStoreError(kind))
                try await TestRelyingParty.with(broken, masterKey: masterKey) { caller in
                    try await caller.call(.get, Route.readiness.path).expectProblem(code, status)
                    #expect(try await caller.call(.get, Route.liveness.path).status == .ok)
                    try await caller.post(
                        EnrolmentCodeRequest(user: alice), to: .enrolmentCodes,
                        headers: ["Authorization": "Bearer " + caller.backendKey.rawValue]
                    ).expectProblem(code, status)
                    let begun = try await caller.beginBinding(late, code: enrolmentCode)
                    let message = try late.bindingDraft(
                        user: begun.user, challenge: begun.challenge, to: caller.issuer, name: Fixture.phone())
                    try await caller.post(
                        BindingAnswer(handle: begun.handle, message: message.text()), to: .finishBinding
                    ).expectProblem(code, status)
                    try await caller.logIn(device, id: id, user: alice)
                        .expectOAuthError(word, code, status)
                    try await caller.refresh(grant.refreshToken, by: device)
                        .expectOAuthError(word, code, status)
                    try await caller.revoke(id, by: device, token: grant.accessToken).expectProblem(code, status)
                    try await caller.create(TestTransaction.details(), for: alice).expectProblem(code, status)
                    try await caller.void(transaction).expectProblem(code, status)
                    let notice = try #require(try await caller.pending(session).first)
                    try await caller.finish(caller.answer(.confirm, to: notice, session)).expectProblem(code, status)
                }

                let devices = try await good.devices(of: alice)
                #expect(devices.count == 1)
                #expect(devices.allSatisfy { $0.revokedAt == nil })
                #expect(try await caller.report(transaction).state == .pending)
                #expect(try await caller.refresh(grant.refreshToken, by: device).status == .ok)
            }
        }
    }
}
