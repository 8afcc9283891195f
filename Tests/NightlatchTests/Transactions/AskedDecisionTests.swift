import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Deciding a transaction at a PIN prompt")
struct AskedDecisionTests {
    /// A bound phone with a session, one pending transaction and a user.
    private struct Asked {
        let phone: TestPhone
        let session: Session
        let pending: PendingTransaction
        let person: ScriptedPerson
        let profile: Profile

        init(
            _ entering: [ScriptedPerson.Entering] = [],
            biometrics: ScriptedBiometrics? = nil,
            payee: String = "Night Train Ltd"
        ) async throws {
            phone = try await .bound(biometrics: biometrics)
            session = try await phone.login.logIn(phone.open)
            let details = try TransactionDetails(
                amount: "129.90", currency: "EUR", payee: Payee(unchecked: payee),
                expiresAt: NumericDate(secondsSince1970: 2_000_000_600))
            _ = await phone.relyingParty.ask(details)
            pending = try #require(try await session.pendingTransactions().first)
            person = ScriptedPerson(entering: entering)
            profile = Profile(
                id: .random(), name: ProfileName(unchecked: "Alice"),
                preferredAuthenticator: biometrics == nil ? .pin : .biometrics)
        }

        func decide(_ decision: TransactionDecision = .confirm) async throws(DecisionError) -> TransactionResult {
            try await LocalAuthService(vault: phone.vault, of: profile, prompt: person)
                .decide(decision, on: pending, in: session, keys: phone.keys, reason: "Pay 129.90 EUR")
        }

        func state() async -> TransactionState? { await phone.relyingParty.state(of: pending.id) }
    }

    @Test(
        "A wrong PIN is asked for again, with the reason, and the right one decides",
        arguments: TransactionDecision.allCases)
    func wrongPin(decision: TransactionDecision) async throws {
        let asked = try await Asked([.pin(TestPin.wrong), .pin(TestPin.right)])
        let result = try await asked.decide(decision)
        #expect(result.isDecided && result.events.isEmpty)
        #expect(await asked.state() == decision.state)
        #expect(
            asked.person.enterings.map(\.purpose) == [
                .unlock(reason: "Pay 129.90 EUR"), .unlock(reason: "Pay 129.90 EUR"),
            ])
        #expect(asked.person.enterings.map(\.attempts.lastTry) == [nil, .wrong(triesLeft: 9, wait: nil)])
        #expect(try await asked.phone.vault.state() == .ready(triesLeft: 10))
    }

    @Test("Cancelling decides nothing, and the attempts count")
    func cancelled() async throws {
        let asked = try await Asked([.pin(TestPin.wrong), .cancel])
        guard case .cancelled = try await asked.decide().outcome else { Issue.record("decided"); return }
        #expect(await asked.state() == .pending)
        #expect(await asked.phone.relyingParty.decisions.isEmpty)
        #expect(try await asked.phone.vault.state() == .ready(triesLeft: 9))
    }

    @Test("An open vault does not replace the prompt: without it nothing is decided, and the vault stays open")
    func opensAnew() async throws {
        let asked = try await Asked([.cancel])
        #expect(await !asked.phone.open.isLocked)
        _ = try await asked.decide()
        #expect(asked.person.enterings.count == 1)
        #expect(await asked.state() == .pending)
        #expect(await !asked.phone.open.isLocked)
    }

    @Test(
        "For a transaction that has ended, the user is not asked",
        arguments: TransactionState.allCases.filter { $0 != .pending })
    func ended(state: TransactionState) async throws {
        let asked = try await Asked([.pin(TestPin.right)])
        await asked.phone.relyingParty.change(asked.pending.id, to: state)
        await #expect(throws: DecisionError.ended(state)) { try await asked.decide() }
        #expect(asked.person.enterings.isEmpty)
    }

    @Test("A transaction that ends during the prompt is not decided, and the error says how it ended")
    func endsMeanwhile() async throws {
        let asked = try await Asked()
        let (relyingParty, id) = (asked.phone.relyingParty, asked.pending.id)
        asked.person.add(entering: [.first { await relyingParty.change(id, to: .voided) }, .pin(TestPin.right)])
        await #expect(throws: DecisionError.ended(.voided)) { try await asked.decide() }
        #expect(await relyingParty.decisions.isEmpty)
    }

    @Test("A user who takes longer than a challenge is valid still decides, with the time of a new challenge")
    func slow() async throws {
        let asked = try await Asked()
        let relyingParty = asked.phone.relyingParty
        asked.person.add(entering: [.first { await relyingParty.pass(.seconds(600)) }, .pin(TestPin.right)])
        #expect(try await asked.decide().isDecided)
        let claims = try #require(await relyingParty.decisions.first).claims(DecisionClaims.self)
        #expect(claims.issuedAt == ScriptedRelyingParty.now + .seconds(600))
    }

    @Test("A transaction that cannot be shown is not offered for confirmation, but can be rejected")
    func hiddenText() async throws {
        let asked = try await Asked([.pin(TestPin.right)], payee: "Night\u{200B}Train")
        await #expect(throws: DecisionError.cannotBeShown) { try await asked.decide(.confirm) }
        #expect(asked.person.enterings.isEmpty)
        #expect(try await asked.decide(.reject).isDecided)
    }

    @Test("Preferred biometrics decide, and the PIN decides after they fail")
    func biometrics() async throws {
        let biometrics = ScriptedBiometrics()
        let asked = try await Asked([.pin(TestPin.right)], biometrics: biometrics)
        try await asked.phone.open.setUpBiometrics()
        biometrics.script(.fails(.notRecognised))
        let result = try await asked.decide()
        #expect(result.isDecided && result.events == [.biometricsFailed(.notRecognised)])
        #expect(asked.person.enterings.map(\.biometricFailure) == [.notRecognised])
        let other = try await Asked(biometrics: biometrics)
        try await other.phone.open.setUpBiometrics()
        #expect(try await other.decide().isDecided)
        #expect(other.person.enterings.isEmpty)
    }

    @Test("A forgotten PIN has the result of the lockout policy, and decides nothing")
    func forgotten() async throws {
        let asked = try await Asked([.forget])
        guard case .blocked(.newCredentials) = try await asked.decide().outcome else {
            Issue.record("not blocked"); return
        }
        #expect(await asked.state() == .pending)
    }

    @Test("A revoked device loses its keys, as with any decision")
    func revoked() async throws {
        let asked = try await Asked([.pin(TestPin.right)])
        await asked.phone.relyingParty.barAll(.deviceRevoked)
        await #expect(throws: DecisionError.revoked) { try await asked.decide() }
        #expect(try await asked.phone.keyCount() == 0)
    }

    @Test("A defect of the prompt is an error, and nothing is decided")
    func emptyBox() async throws {
        let asked = try await Asked([.emptyBox])
        await #expect(throws: DecisionError.emptyPinBox) { try await asked.decide() }
        #expect(await asked.state() == .pending)
    }
}

extension TransactionResult {
    fileprivate var isDecided: Bool {
        if case .decided = outcome { true } else { false }
    }
}
