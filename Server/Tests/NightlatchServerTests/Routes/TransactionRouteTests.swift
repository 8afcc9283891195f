import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Transactions over HTTP")
struct TransactionRouteTests {
    private func withCaller(_ body: @escaping @Sendable (TestCaller) async throws -> Void) async throws {
        try await TestRelyingParty.with(MemoryStore(clock: TestTime.clock), body)
    }

    @Test(
        "The backend creates a transaction, the device shows it unchanged and decides, and the backend gets the proof",
        arguments: StoreKind.allCases, TransactionDecision.allCases)
    func story(kind: StoreKind, decision: TransactionDecision) async throws {
        try await kind.with { store in
            try await TestRelyingParty.with(store, setup: .live) { caller in
                let (alice, id) = (try Fixture.alice(), TransactionID.random())
                let phone = try await caller.newSession(of: alice)
                let details = try TestTransaction.details()
                let created = try await caller.create(details, id: id, for: alice).message(TransactionReport.self)
                #expect(created.state == .pending && created.proof == nil)
                #expect(try await caller.create(details, id: id, for: alice).message(TransactionReport.self) == created)

                let pending = try await caller.pending(phone)
                #expect(pending.map(\.id) == [id])
                #expect(pending.map(\.details.canonicalBytes) == [details.canonicalBytes])
                let answer = try await caller.answer(decision, to: pending[0], phone)
                let result = DecisionResult(transaction: id, state: decision.state)
                #expect(try await caller.finish(answer).message(DecisionResult.self) == result)

                #expect(try await caller.pending(phone) == [])
                let report = try await caller.report(id)
                #expect(report.state == decision.state)
                #expect(
                    report.proof
                        == DecisionProof(device: phone.id, key: try phone.device.key.jwk, message: answer.message))
                let listed = try await caller.call(
                    .get, Route.transactions.path(user: alice), headers: caller.backendHeaders
                ).message(TransactionReportList.self)
                #expect(listed.transactions.map(\.state) == [decision.state])
                #expect(listed.transactions.allSatisfy { $0.proof == nil })
            }
        }
    }

    @Test("A repeated message gets the same answer, and another message gets the outcome")
    func lostAnswer() async throws {
        try await withCaller { caller in
            let alice = try Fixture.alice()
            let phone = try await caller.newSession(of: alice)
            let notice = try await caller.notice(for: phone)
            let late = try await caller.answer(.reject, to: notice, phone)
            let answer = try await caller.answer(.confirm, to: notice, phone)
            for _ in 0..<2 {
                #expect(try await caller.finish(answer).message(DecisionResult.self).state == .confirmed)
            }
            try await caller.finish(late).expectProblem(.transactionConfirmed, 409)
            try await caller.beginDecision(on: notice.id, phone).expectProblem(.transactionConfirmed, 409)
            try await caller.void(notice.id).expectProblem(.transactionConfirmed, 409)
        }
    }

    @Test("Each final state has its code, for devices and for the backend")
    func ended() async throws {
        try await withCaller { caller in
            let phone = try await caller.newSession(of: Fixture.alice())
            let rejected = try await caller.notice(for: phone)
            _ = try await caller.finish(caller.answer(.reject, to: rejected, phone)).message(DecisionResult.self)
            try await caller.beginDecision(on: rejected.id, phone).expectProblem(.transactionRejected, 409)
            try await caller.void(rejected.id).expectProblem(.transactionRejected, 409)

            let voided = try await caller.notice(for: phone)
            let answer = try await caller.answer(.confirm, to: voided, phone)
            #expect(try await caller.void(voided.id).message(TransactionReport.self).state == .voided)
            #expect(try await caller.void(voided.id).message(TransactionReport.self).state == .voided)
            try await caller.finish(answer).expectProblem(.transactionVoided, 409)
            try await caller.beginDecision(on: voided.id, phone).expectProblem(.transactionVoided, 409)

            let expired = try await caller.notice(for: phone, life: .seconds(30))
            let late = try await caller.answer(.confirm, to: expired, phone)
            try await TestTime.after(.seconds(31)) {
                try await caller.finish(late).expectProblem(.transactionExpired, 409)
                try await caller.beginDecision(on: expired.id, phone).expectProblem(.transactionExpired, 409)
                try await caller.void(expired.id).expectProblem(.transactionExpired, 409)
                #expect(try await caller.pending(phone) == [])
                #expect(try await caller.report(expired.id).state == .expired)
            }
        }
    }

    @Test("A signature over changed details decides nothing, whichever member was changed")
    func changed() async throws {
        try await withCaller { caller in
            let phone = try await caller.newSession(of: Fixture.alice())
            let notice = try await caller.notice(for: phone)
            for details in try TestTransaction.changedDetails() {
                let changed = TransactionNotice(id: notice.id, details: details)
                try await caller.finish(caller.answer(.confirm, to: changed, phone))
                    .expectProblem(.transactionChanged, 409)
            }
            let other = try await caller.notice(for: phone, amount: "7")
            // A signature for one transaction, by its id or by its hash alone, is refused for another one.
            try await caller.finish(
                caller.answer(.confirm, to: notice, phone) { $0.payload["transaction_id"] = other.id.rawValue }
            ).expectProblem(.messageRefused, 403)
            try await caller.finish(
                caller.answer(.confirm, to: notice, phone) { $0.payload["details_hash"] = other.details.hash.rawValue }
            ).expectProblem(.transactionChanged, 409)
            #expect(try await caller.report(notice.id).state == .pending)
            #expect(try await caller.report(other.id).state == .pending)
        }
    }

    @Test("Other devices and other users neither see nor decide the transaction")
    func wrongDevices() async throws {
        try await withCaller { caller in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            let phone = try await caller.newSession(of: alice)
            let tablet = try await caller.newSession(of: alice)
            let stranger = try await caller.newSession(of: bob)
            let notice = try await caller.notice(for: phone, devices: .devices([phone.id]))
            let good = try await caller.answer(.confirm, to: notice, phone)
            for other in [tablet, stranger] {
                #expect(try await caller.pending(other) == [])
                try await caller.beginDecision(on: notice.id, other).expectProblem(.notFound, 404)
                // The other device gets no challenge, and with the right device's challenge its signature is refused.
                let draft = try other.device.decisionDraft(
                    .confirm, on: notice.id, details: notice.details, user: other.user,
                    challenge: try CompactJWS(good.message).claims(DecisionClaims.self).challenge, to: caller.issuer)
                try await caller.finish(DecisionAnswer(handle: good.handle, message: draft.text()))
                    .expectProblem(.messageRefused, 403)
            }
            try await caller.beginDecision(on: .random(), phone).expectProblem(.notFound, 404)
            #expect(try await caller.finish(good).message(DecisionResult.self).state == .confirmed)
        }
    }

    @Test("A revoked device decides nothing and is refused as revoked")
    func revoked() async throws {
        try await withCaller { caller in
            let phone = try await caller.newSession(of: Fixture.alice())
            let notice = try await caller.notice(for: phone)
            let answer = try await caller.answer(.confirm, to: notice, phone)
            _ = try await caller.revoke(phone.id, by: phone.device, token: phone.token).message(DeviceSummary.self)
            try await caller.finish(answer).expectProblem(.deviceRevoked, 401)
            try await caller.beginDecision(on: notice.id, phone).expectProblem(.deviceRevoked, 401)
            #expect(try await caller.report(notice.id).state == .pending)
        }
    }

    @Test("Messages and challenges of other ceremonies do not decide, and a decision is refused in other ceremonies")
    func otherPurposes() async throws {
        try await withCaller { caller in
            let alice = try Fixture.alice()
            let phone = try await caller.newSession(of: alice)
            let notice = try await caller.notice(for: phone)
            let begun = try await caller.beginDecision(on: notice.id, phone).message(DecisionChallenge.self)
            let login = try phone.device.loginDraft(user: alice, challenge: begun.challenge, to: caller.issuer).text()
            let binding = try phone.device.bindingDraft(
                user: alice, challenge: begun.challenge, to: caller.issuer, name: Fixture.phone()
            ).text()
            for message in [login, binding, try caller.proof(by: phone.device), phone.token.rawValue] {
                try await caller.finish(DecisionAnswer(handle: begun.handle, message: message))
                    .expectProblem(.messageRefused, 403)
            }
            // A decision's message and handle, sent to the routes of other ceremonies.
            let decision = try phone.device.decisionDraft(
                .confirm, on: notice.id, details: notice.details, user: alice, challenge: begun.challenge,
                to: caller.issuer
            ).text()
            try await caller.token(
                .login(assertion: decision, handle: begun.handle), proof: caller.proof(by: phone.device)
            ).expectOAuthError(.invalidGrant, .challengeRefused)
            try await caller.post(BindingAnswer(handle: begun.handle, message: decision), to: .finishBinding)
                .expectProblem(.challengeRefused, 400)
            // Handles of other ceremonies, with messages of every kind.
            let loginBegun = try await caller.beginLogin(user: alice, device: phone.id)
            let bindingBegun = try await caller.beginBinding(phone.device, code: try await caller.code(for: alice))
            for (handle, challenge) in [
                (loginBegun.handle, loginBegun.challenge), (bindingBegun.handle, bindingBegun.challenge),
            ] {
                let message = try phone.device.decisionDraft(
                    .confirm, on: notice.id, details: notice.details, user: alice, challenge: challenge,
                    to: caller.issuer
                ).text()
                try await caller.finish(DecisionAnswer(handle: handle, message: message))
                    .expectProblem(.challengeRefused, 400)
            }
            let assertion = try phone.device.decisionDraft(
                .confirm, on: notice.id, details: notice.details, user: alice, challenge: loginBegun.challenge,
                to: caller.issuer
            ).text()
            try await caller.token(
                .login(assertion: assertion, handle: loginBegun.handle), proof: caller.proof(by: phone.device)
            ).expectOAuthError(.invalidGrant, .messageRefused)
            #expect(try await caller.report(notice.id).state == .pending)
        }
    }

    @Test("A challenge that is two minutes old decides nothing")
    func oldChallenge() async throws {
        try await withCaller { caller in
            let phone = try await caller.newSession(of: Fixture.alice())
            let notice = try await caller.notice(for: phone)
            let answer = try await caller.answer(.confirm, to: notice, phone)
            try await TestTime.after(.seconds(121)) {
                try await caller.finish(answer).expectProblem(.challengeExpired, 400)
            }
        }
    }

    @Test("200 opposite decisions at once have one outcome")
    func race() async throws {
        try await TemporaryFolder.with { folder in
            let store = try SQLiteStore(path: folder + "/store.sqlite", clock: TestTime.clock)
            try await TestRelyingParty.with(store) { caller in
                let phone = try await caller.newSession(of: Fixture.alice())
                let notice = try await caller.notice(for: phone)
                var answers: [DecisionAnswer] = []
                for index in 0..<200 {
                    answers.append(try await caller.answer(index % 2 == 0 ? .confirm : .reject, to: notice, phone))
                }
                let responses = try await withThrowingTaskGroup(of: TestResponse.self) { group in
                    for answer in answers { group.addTask { try await caller.finish(answer) } }
                    return try await group.reduce(into: [TestResponse]()) { $0.append($1) }
                }
                let taken = responses.filter { $0.status == .ok }
                let state = try await caller.report(notice.id).state
                #expect(taken.count == 1)
                #expect(try taken.first?.message(DecisionResult.self).state == state)
                for response in responses where response.status != .ok {
                    try response.expectProblem(state == .confirmed ? .transactionConfirmed : .transactionRejected, 409)
                }
            }
        }
    }

    @Test("A device without its token, or without a proof for this request, sees and begins nothing")
    func protected() async throws {
        try await withCaller { caller in
            let phone = try await caller.newSession(of: Fixture.alice())
            let notice = try await caller.notice(for: phone)
            let path = Route.pendingTransactions.path
            try await caller.call(.get, path).expectProblem(.accessTokenRefused, 401)
            try await caller.call(.get, path, headers: caller.backendHeaders).expectProblem(.accessTokenRefused, 401)
            try await caller.call(.get, path, headers: caller.credentials(phone, .devices))
                .expectProblem(.dpopProofRefused, 401)
            let request = DecisionRequest(transaction: notice.id)
            try await caller.post(request, to: .beginDecision).expectProblem(.accessTokenRefused, 401)
            try await caller.post(request, to: .beginDecision, headers: caller.credentials(phone, .finishDecision))
                .expectProblem(.dpopProofRefused, 401)
        }
    }

    @Test("Only the backend key creates, reads and withdraws transactions")
    func backendAlone() async throws {
        try await withCaller { caller in
            let alice = try Fixture.alice()
            let phone = try await caller.newSession(of: alice)
            let notice = try await caller.notice(for: phone)
            let request = TransactionRequest(
                id: .random(), user: alice, devices: .allDevices, details: try TestTransaction.details())
            for headers in [[:], ["Authorization": "Bearer wrong"], try caller.credentials(phone, .createTransaction)] {
                try await caller.post(request, to: .createTransaction, headers: headers)
                    .expectProblem(.backendKeyRefused, 401)
                for path in [Route.transaction.path(transaction: notice.id), Route.transactions.path(user: alice)] {
                    try await caller.call(.get, path, headers: headers).expectProblem(.backendKeyRefused, 401)
                }
                try await caller.call(.post, Route.voidTransaction.path(transaction: notice.id), headers: headers)
                    .expectProblem(.backendKeyRefused, 401)
            }
            #expect(try await caller.report(notice.id).state == .pending)
        }
    }

    @Test("Each refusal of a backend's request has its code")
    func refusedRequests() async throws {
        try await withCaller { caller in
            let (alice, id) = (try Fixture.alice(), TransactionID.random())
            let phone = try await caller.newSession(of: alice)
            _ = try await caller.create(TestTransaction.details(), id: id, for: alice).message(TransactionReport.self)
            try await caller.create(TestTransaction.details(amount: "1"), id: id, for: alice)
                .expectProblem(.transactionIDTaken, 409)
            try await caller.create(TestTransaction.details(), for: Fixture.bob()).expectProblem(.addresseeUnknown, 409)
            try await caller.create(TestTransaction.details(), for: alice, devices: .devices([.random()]))
                .expectProblem(.addresseeUnknown, 409)
            for seconds in [-1, 24 * 60 * 60 + 1] {
                let details = try TestTransaction.details(expiresAt: TestTime.current + .seconds(seconds))
                try await caller.create(details, for: alice).expectProblem(.expiryRefused, 400)
            }
            for _ in 1..<10 {
                _ = try await caller.create(TestTransaction.details(), for: alice).message(TransactionReport.self)
            }
            try await caller.create(TestTransaction.details(), for: alice).expectProblem(.tooManyTransactions, 409)
            #expect(try await caller.pending(phone).count == 10)
            for path in [Route.transaction.path(transaction: .random()), "/v1/transactions/nonsense"] {
                try await caller.call(.get, path, headers: caller.backendHeaders).expectProblem(.notFound, 404)
            }
            try await caller.void(.random()).expectProblem(.notFound, 404)
            for query in ["", "?", "?user=", "?user=%20a", "?user=a&user=b", "?name=alice", "?user=%zz", "?user=a%00"] {
                try await caller.call(.get, "/v1/transactions" + query, headers: caller.backendHeaders)
                    .expectProblem(.malformedRequest, 400)
            }
        }
    }

    @Test(
        "Transactions are listed for a user with any id",
        arguments: [
            ".", "..", "uid=a+b,ou=x:y@z_-.", "auth0|5f7c8ec7", "o'brien@example.com", #"CORP\alice"#, "Anna Müller",
            "a/b?c#d%20&e",
            "山田太郎", String(repeating: "😀", count: 128),
        ])
    func strangeUsers(text: String) async throws {
        try await withCaller { caller in
            let user = try #require(UserID(rawValue: text))
            _ = try await caller.newSession(of: user)
            let report = try await caller.create(TestTransaction.details(), for: user).message(TransactionReport.self)
            let list = try await caller.call(
                .get, Route.transactions.path(user: user), headers: caller.backendHeaders
            ).message(TransactionReportList.self)
            #expect(list.transactions == [report])
        }
    }
}

extension TestCaller {
    /// Creates a transaction and returns the notice that `session`'s device gets.
    fileprivate func notice(
        for session: TestSession,
        devices: TransactionAddressees = .allDevices,
        amount: String = "129.90",
        life: Duration = .seconds(600)
    ) async throws -> TransactionNotice {
        let id = TransactionID.random()
        let details = try TestTransaction.details(amount: amount, expiresAt: TestTime.current + life)
        _ = try await create(details, id: id, for: session.user, devices: devices).message(TransactionReport.self)
        return try #require(try await pending(session).first { $0.id == id })
    }
}
