import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Deciding transactions")
struct TransactionDeciderTests {
    /// A bound phone with a session and one pending transaction.
    private struct Asked {
        let phone: TestPhone
        let session: Session
        let pending: PendingTransaction

        init(biometrics: ScriptedBiometrics? = nil) async throws {
            phone = try await .bound(biometrics: biometrics)
            session = try await phone.login.logIn(phone.open)
            _ = await phone.relyingParty.ask(try Self.details())
            pending = try #require(try await session.pendingTransactions().first)
        }

        static func details(payee: String = "Night Train Ltd", amount: String = "129.90") throws -> TransactionDetails {
            try TransactionDetails(
                amount: MoneyAmount(unchecked: amount), currency: "EUR", payee: Payee(unchecked: payee),
                lines: [.init(label: "Reference", value: "Berth 7")],
                expiresAt: NumericDate(secondsSince1970: 2_000_000_600))
        }

        var decider: TransactionDecider { TransactionDecider(vault: phone.vault, keys: phone.keys) }
        var relyingParty: ScriptedRelyingParty { phone.relyingParty }

        func decide(_ decision: TransactionDecision, digits: String = TestPin.right) async throws {
            let pin = try Pin(digits)
            switch decision {
            case .confirm: try await decider.confirm(pending, in: session, pin: pin)
            case .reject: try await decider.reject(pending, in: session, pin: pin)
            }
        }

        func state() async -> TransactionState? { await relyingParty.state(of: pending.id) }
    }

    @Test("A transaction that cannot be shown is listed, cannot be confirmed, and can be rejected")
    func hiddenText() async throws {
        let asked = try await Asked()
        let details = try Asked.details(payee: "Night\u{200B}Train")
        _ = await asked.relyingParty.ask(details)
        let list = try await asked.session.pendingTransactions()
        #expect(list.map(\.canBeShown) == [true, false])
        let hidden = try #require(list.last)
        await #expect(throws: DecisionError.cannotBeShown) {
            try await asked.decider.confirm(hidden, in: asked.session, pin: try Pin(TestPin.right))
        }
        #expect(await asked.relyingParty.decisions.isEmpty)
        try await asked.decider.reject(hidden, in: asked.session, pin: try Pin(TestPin.right))
        #expect(await asked.relyingParty.state(of: hidden.id) == .rejected)
        let claims = try #require(await asked.relyingParty.decisions.first).claims(DecisionClaims.self)
        #expect(claims.detailsHash == details.hash)
    }

    @Test(
        "The signed details are those of the list, signed by the bound key and for this purpose only",
        arguments: TransactionDecision.allCases)
    func signed(decision: TransactionDecision) async throws {
        let asked = try await Asked()
        #expect(asked.pending.details.hash == (try Asked.details().hash))
        try await asked.decide(decision)
        let message = try #require(await asked.relyingParty.decisions.first)
        let claims = try message.claims(DecisionClaims.self)
        let device = try #require(await asked.relyingParty.devices[asked.session.device])
        #expect(isSigned(message, by: device.key))
        #expect(message.header.type == .transaction)
        #expect(message.header.keyID == device.key.thumbprint && message.header.key == nil)
        #expect(claims.issuer == .default && claims.subject == asked.session.user)
        #expect(claims.audience == asked.relyingParty.issuer)
        #expect(claims.issuedAt == ScriptedRelyingParty.now && claims.expiresAt - claims.issuedAt == .seconds(60))
        #expect(claims.transaction == asked.pending.id && claims.decision == decision)
        #expect(claims.detailsHash == asked.pending.details.hash)
        #expect(await asked.state() == decision.state)
        #expect(try await asked.session.pendingTransactions().isEmpty)
    }

    @Test("Each request has a proof by the possession key")
    func proofs() async throws {
        let asked = try await Asked()
        try await asked.decide(.confirm)
        let issuer = asked.relyingParty.issuer.rawValue
        let claims = try await asked.relyingParty.proofs.suffix(2).map { try $0.claims(DPoPClaims.self) }
        #expect(claims.map(\.method) == ["GET", "POST"])
        #expect(claims.map(\.url) == [issuer + "/v1/pending-transactions", issuer + "/v1/decision/begin"])
        #expect(claims.allSatisfy { $0.accessTokenHash == AccessTokenHash(of: asked.session.accessToken) })
    }

    @Test(
        "A wrong PIN is charged and decides nothing, although the vault is open elsewhere",
        arguments: TransactionDecision.allCases)
    func wrongPin(decision: TransactionDecision) async throws {
        let asked = try await Asked()
        #expect(await !asked.phone.open.isLocked)
        await #expect(throws: DecisionError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await asked.decide(decision, digits: TestPin.wrong)
        }
        #expect(try await asked.phone.vault.state() == .ready(triesLeft: 9))
        #expect(await asked.relyingParty.decisions.isEmpty)
        #expect(await asked.state() == .pending)
        try await asked.decide(decision)
        #expect(try await asked.phone.vault.state() == .ready(triesLeft: 10))
    }

    @Test("If the vault is locked, the PIN alone is needed, and each decision needs its own PIN")
    func asksAnew() async throws {
        let asked = try await Asked()
        await asked.phone.open.lock()
        try await asked.decide(.confirm)
        _ = await asked.relyingParty.ask(try Asked.details())
        let next = try #require(try await asked.session.pendingTransactions().first)
        await #expect(throws: DecisionError.refused(.wrong(triesLeft: 9, wait: nil))) {
            let pin = try Pin(TestPin.wrong)
            try await asked.decider.confirm(next, in: asked.session, pin: pin)
        }
        #expect(await asked.relyingParty.state(of: next.id) == .pending)
    }

    @Test("Biometrics are required for each decision, and release a key", arguments: TransactionDecision.allCases)
    func biometrics(decision: TransactionDecision) async throws {
        let biometrics = ScriptedBiometrics()
        let asked = try await Asked(biometrics: biometrics)
        try await asked.phone.open.setUpBiometrics()
        func decide(_ pending: PendingTransaction) async throws {
            switch decision {
            case .confirm: try await asked.decider.confirm(pending, in: asked.session, biometricReason: "Pay 129.90")
            case .reject: try await asked.decider.reject(pending, in: asked.session, biometricReason: "Pay 129.90")
            }
        }
        biometrics.script(.fails(.notRecognised))
        await #expect(throws: DecisionError.biometrics(.notRecognised)) { try await decide(asked.pending) }
        #expect(await asked.relyingParty.decisions.isEmpty)
        try await decide(asked.pending)
        #expect(await asked.state() == decision.state)
        _ = await asked.relyingParty.ask(try Asked.details())
        try await decide(try #require(try await asked.session.pendingTransactions().first))
        #expect(biometrics.reasons.count == 3)
        biometrics.changeEnrolment()
        _ = await asked.relyingParty.ask(try Asked.details())
        let last = try #require(try await asked.session.pendingTransactions().first)
        await #expect(throws: DecisionError.biometrics(.enrolmentChanged)) { try await decide(last) }
        #expect(await asked.relyingParty.state(of: last.id) == .pending)
    }

    @Test("A transaction with changed details is reported, and nothing is decided")
    func changed() async throws {
        let asked = try await Asked()
        await asked.relyingParty.change(asked.pending.id, details: try Asked.details(payee: "Mallory Ltd"))
        await #expect(throws: DecisionError.changed) { try await asked.decide(.confirm) }
        #expect(await asked.state() == .pending)
        let shown = try #require(try await asked.session.pendingTransactions().first)
        #expect(shown.details.payee == Payee(unchecked: "Mallory Ltd"))
    }

    @Test(
        "A transaction that has ended is reported before a PIN is tested",
        arguments: TransactionState.allCases.filter { $0 != .pending })
    func ended(state: TransactionState) async throws {
        let asked = try await Asked()
        await asked.relyingParty.change(asked.pending.id, to: state)
        await #expect(throws: DecisionError.ended(state)) { try await asked.decide(.confirm, digits: TestPin.wrong) }
        #expect(try await asked.phone.vault.state() == .ready(triesLeft: 10))
    }

    @Test(
        "After a lost request or answer, deciding again learns the result",
        arguments: [ScriptedRelyingParty.Verb.beginDecision, .finishDecision],
        [ScriptedRelyingParty.Mishap.loseRequest, .loseAnswer, .cancel])
    func lost(verb: ScriptedRelyingParty.Verb, mishap: ScriptedRelyingParty.Mishap) async throws {
        let asked = try await Asked()
        await asked.relyingParty.script(verb, mishap)
        let error = await #expect(throws: DecisionError.self) { try await asked.decide(.confirm) }
        guard case .relyingParty = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        if await asked.state() == .confirmed {
            await #expect(throws: DecisionError.ended(.confirmed)) { try await asked.decide(.confirm) }
        } else {
            try await asked.decide(.confirm)
        }
        #expect(await asked.state() == .confirmed)
    }

    @Test(
        "Two opposite decisions at the same time have one outcome, and the other decision gets it as an error",
        arguments: 0..<5)
    func bothWays(round: Int) async throws {
        let asked = try await Asked()
        let taken = try await withThrowingTaskGroup(of: TransactionDecision?.self) { group in
            for decision in TransactionDecision.allCases {
                group.addTask {
                    do {
                        try await asked.decide(decision)
                        return decision
                    } catch DecisionError.ended {
                        return nil
                    }
                }
            }
            return try await group.reduce(into: [TransactionDecision]()) { taken, one in
                if let one { taken.append(one) }
            }
        }
        #expect(taken.count == 1)
        #expect(await asked.state() == taken.first?.state)
    }

    @Test("A blocked device decides nothing, and keeps its keys")
    func blocked() async throws {
        let asked = try await Asked()
        await asked.relyingParty.barAll(.deviceBlocked)
        await #expect(throws: DecisionError.blocked) { try await asked.decide(.confirm) }
        #expect(try await asked.phone.keyCount() == 2)
        #expect(await asked.state() == .pending)
    }

    @Test(
        "A revoked or replaced device loses its keys and its binding, and nothing else",
        arguments: [ProblemCode.deviceRevoked, .deviceReplaced])
    func revoked(code: ProblemCode) async throws {
        let asked = try await Asked()
        await asked.relyingParty.barAll(code)
        await #expect(throws: DecisionError.revoked) { try await asked.decide(.confirm) }
        #expect(try await asked.phone.keyCount() == 0)
        #expect(try await asked.phone.open.texts() == ["wallet": "seed"])
        #expect(await asked.state() == .pending)
    }

    @Test(
        "A vault without a binding, or with another one than the session's, decides nothing", arguments: [true, false])
    func notBound(isBoundAnew: Bool) async throws {
        let asked = try await Asked()
        let binding = try #require(try await asked.phone.open.deviceBinding())
        try await asked.phone.binder.forget(binding, in: asked.phone.open)
        if isBoundAnew { try await asked.phone.bind(await asked.relyingParty.issueCode()) }
        await #expect(throws: DecisionError.notBound) { try await asked.decide(.confirm) }
        #expect(await asked.relyingParty.decisions.isEmpty)
    }

    @Test("A missing key and a missing password are reported", arguments: [true, false])
    func damaged(lacksPassword: Bool) async throws {
        let asked = try await Asked()
        let binding = try #require(try await asked.phone.open.deviceBinding())
        if lacksPassword {
            try await asked.phone.open.removeAny([.deviceKeyPassword])
        } else {
            try await asked.phone.keys.remove(binding.keys.deviceKey)
        }
        await #expect(
            throws: lacksPassword ? DecisionError.vault(.corrupt) : .key(DeviceKeyError(.absent))
        ) { try await asked.decide(.confirm) }
        #expect(await asked.state() == .pending)
    }

    @Test(
        "Any other refusal is passed on unchanged",
        arguments: [ProblemCode.accessTokenRefused, .unavailable, .challengeUsed])
    func otherRefusals(code: ProblemCode) async throws {
        let asked = try await Asked()
        for verb in [ScriptedRelyingParty.Verb.beginDecision, .finishDecision] {
            await asked.relyingParty.script(verb, .refuse(code))
            await #expect(throws: DecisionError.relyingParty(ScriptedRelyingParty.refusal(code))) {
                try await asked.decide(.confirm)
            }
        }
        try await asked.decide(.confirm)
    }
}
