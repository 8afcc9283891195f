import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Deciding a remote login at a PIN prompt")
struct AskedRemoteLoginTests {
    private static let number = RemoteLoginNumber(unchecked: "42")

    /// A bound phone with a session, one pending remote login and a user.
    private struct Asked {
        let phone: TestPhone
        let session: Session
        let pending: PendingRemoteLogin
        let person: ScriptedPerson
        let profile: Profile

        init(_ entering: [ScriptedPerson.Entering] = [], biometrics: ScriptedBiometrics? = nil) async throws {
            phone = try await .bound(biometrics: biometrics)
            session = try await phone.login.logIn(phone.open)
            _ = await phone.relyingParty.requestLogin(.forTests(), number: AskedRemoteLoginTests.number)
            pending = try #require(try await session.pendingRemoteLogins().logins.first)
            person = ScriptedPerson(entering: entering)
            profile = Profile(
                id: .random(), name: ProfileName(unchecked: "Alice"),
                preferredAuthenticator: biometrics == nil ? .pin : .biometrics)
        }

        func decide(
            _ decision: TransactionDecision = .confirm, number: RemoteLoginNumber? = AskedRemoteLoginTests.number
        ) async throws(DecisionError) -> TransactionResult {
            try await LocalAuthService(vault: phone.vault, of: profile, prompt: person)
                .decide(
                    decision, on: pending, number: number, in: session, keys: phone.keys,
                    reason: "Log in to Night Bank")
        }

        func state() async -> RemoteLoginState? { await phone.relyingParty.state(ofLogin: pending.id) }
    }

    @Test("A wrong PIN is asked for again, with the reason, and the right one confirms")
    func wrongPin() async throws {
        let asked = try await Asked([.pin(TestPin.wrong), .pin(TestPin.right)])
        let result = try await asked.decide()
        #expect(result.isDecided && result.events.isEmpty)
        #expect(await asked.state() == .confirmed)
        let purposes = asked.person.enterings.map(\.purpose)
        #expect(purposes == [.unlock(reason: "Log in to Night Bank"), .unlock(reason: "Log in to Night Bank")])
        #expect(try await asked.phone.vault.state() == .ready(triesLeft: 10))
    }

    @Test("A login is rejected without a number")
    func reject() async throws {
        let asked = try await Asked([.pin(TestPin.right)])
        #expect(try await asked.decide(.reject, number: nil).isDecided)
        #expect(await asked.state() == .rejected)
    }

    @Test("Without the number, and for a login that has ended, the user is not asked for the PIN")
    func notAsked() async throws {
        let asked = try await Asked([.pin(TestPin.right)])
        await #expect(throws: DecisionError.numberMissing) { try await asked.decide(number: nil) }
        await #expect(throws: DecisionError.numberUnexpected) { try await asked.decide(.reject) }
        await asked.phone.relyingParty.changeLogin(asked.pending.id, to: .contested)
        await #expect(throws: DecisionError.remoteLoginEnded) { try await asked.decide() }
        #expect(asked.person.enterings.isEmpty)
    }

    @Test("A wrong number is an error after the right PIN, and the vault is locked again")
    func wrongNumber() async throws {
        let asked = try await Asked([.pin(TestPin.right)])
        await #expect(throws: DecisionError.numberWrong) {
            try await asked.decide(number: RemoteLoginNumber(unchecked: "24"))
        }
        #expect(await asked.state() == .numberWrong)
        #expect(try await asked.phone.vault.state() == .ready(triesLeft: 10))
    }

    @Test("A login that ends during the prompt is not decided")
    func endsDuringPrompt() async throws {
        let asked = try await Asked()
        let (relyingParty, id) = (asked.phone.relyingParty, asked.pending.id)
        asked.person.add(entering: [
            .first { await relyingParty.changeLogin(id, to: .expired) }, .pin(TestPin.right),
        ])
        await #expect(throws: DecisionError.remoteLoginEnded) { try await asked.decide() }
        #expect(await relyingParty.decisions.isEmpty)
    }

    @Test("Cancelling decides nothing, and the attempts count")
    func cancelled() async throws {
        let asked = try await Asked([.pin(TestPin.wrong), .cancel])
        guard case .cancelled = try await asked.decide().outcome else { Issue.record("decided"); return }
        #expect(await asked.state() == .pending)
        #expect(try await asked.phone.vault.state() == .ready(triesLeft: 9))
    }

    @Test("Preferred biometrics decide, without a PIN")
    func biometrics() async throws {
        let asked = try await Asked(biometrics: ScriptedBiometrics())
        try await asked.phone.open.setUpBiometrics()
        #expect(try await asked.decide().isDecided)
        #expect(asked.person.enterings.isEmpty)
        #expect(await asked.state() == .confirmed)
    }
}

extension TransactionResult {
    fileprivate var isDecided: Bool {
        if case .decided = outcome { true } else { false }
    }
}
