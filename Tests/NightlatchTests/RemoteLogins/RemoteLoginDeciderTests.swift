import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Deciding remote logins")
struct RemoteLoginDeciderTests {
    private static let number = RemoteLoginNumber(unchecked: "07")
    private static let wrongNumber = RemoteLoginNumber(unchecked: "70")

    /// A bound phone with a session and one pending remote login.
    private struct Asked {
        let phone: TestPhone
        let session: Session
        let pending: PendingRemoteLogin

        init(hasNumber: Bool = true, biometrics: ScriptedBiometrics? = nil) async throws {
            phone = try await .bound(biometrics: biometrics)
            session = try await phone.login.logIn(phone.open)
            _ = await phone.relyingParty.requestLogin(
                .forTests(hasNumber: hasNumber), number: hasNumber ? RemoteLoginDeciderTests.number : nil)
            pending = try #require(try await session.pendingRemoteLogins().logins.first)
        }

        var decider: RemoteLoginDecider { RemoteLoginDecider(vault: phone.vault, keys: phone.keys) }
        var relyingParty: ScriptedRelyingParty { phone.relyingParty }

        func decide(
            _ decision: TransactionDecision,
            number: RemoteLoginNumber? = RemoteLoginDeciderTests.number,
            digits: String = TestPin.right
        ) async throws {
            let pin = try Pin(digits)
            switch decision {
            case .confirm: try await decider.confirm(pending, number: number, in: session, pin: pin)
            case .reject: try await decider.reject(pending, in: session, pin: pin)
            }
        }

        func state() async -> RemoteLoginState? { await relyingParty.state(ofLogin: pending.id) }
    }

    @Test(
        "The signed details are those of the list, signed by the bound key and for this purpose only",
        arguments: TransactionDecision.allCases)
    func signed(decision: TransactionDecision) async throws {
        let asked = try await Asked()
        #expect(asked.pending.details == .forTests())
        try await asked.decide(decision)
        let message = try #require(await asked.relyingParty.decisions.first)
        let claims = try message.claims(RemoteLoginClaims.self)
        let device = try #require(await asked.relyingParty.devices[asked.session.device])
        #expect(isSigned(message, by: device.key))
        #expect(message.header.type == .remoteLogin)
        #expect(message.header.keyID == device.key.thumbprint && message.header.key == nil)
        #expect(claims.issuer == .default && claims.subject == asked.session.user)
        #expect(claims.audience == asked.relyingParty.issuer)
        #expect(claims.issuedAt == ScriptedRelyingParty.now && claims.expiresAt - claims.issuedAt == .seconds(60))
        #expect(claims.login == asked.pending.id && claims.decision == decision)
        #expect(claims.detailsHash == asked.pending.details.hash)
        #expect(claims.number == (decision == .confirm ? Self.number : nil))
        #expect(await asked.state() == (decision == .confirm ? .confirmed : .rejected))
        #expect(try await asked.session.pendingRemoteLogins().logins.isEmpty)
    }

    @Test("Each request has a proof by the possession key, and finishing needs none")
    func proofs() async throws {
        let asked = try await Asked()
        let code = await asked.relyingParty.showCode(for: .forTests())
        _ = try await asked.session.claimRemoteLogin(code)
        try await asked.decide(.confirm)
        let path = asked.relyingParty.issuer.rawValue + "/v1/remote-logins"
        let claims = try await asked.relyingParty.proofs.suffix(3).map { try $0.claims(DPoPClaims.self) }
        #expect(claims.map(\.method) == ["GET", "POST", "POST"])
        #expect(claims.map(\.url) == [path, path + "/claim", path + "/begin"])
        #expect(claims.allSatisfy { $0.accessTokenHash == AccessTokenHash(of: asked.session.accessToken) })
    }

    @Test("A claimed code gives the login to decide, and claiming again gives the same login")
    func claimed() async throws {
        let asked = try await Asked()
        let code = await asked.relyingParty.showCode(for: .forTests(app: "Night Shop", hasNumber: false))
        let claimed = try await asked.session.claimRemoteLogin(code)
        #expect(claimed.details.app == AppName(unchecked: "Night Shop"))
        #expect(try await asked.session.claimRemoteLogin(code) == claimed)
        #expect(try await asked.session.pendingRemoteLogins().logins == [asked.pending, claimed])
        try await asked.decider.confirm(claimed, number: nil, in: asked.session, pin: try Pin(TestPin.right))
        #expect(await asked.relyingParty.state(ofLogin: claimed.id) == .confirmed)
        #expect(await asked.state() == .pending)
        let unknown = RemoteLoginCode(unchecked: "old")
        await #expect(throws: SessionError.relyingParty(ScriptedRelyingParty.refusal(.remoteLoginEnded))) {
            try await asked.session.claimRemoteLogin(unknown)
        }
    }

    @Test("The list says when as many logins were requested as the relying party allows")
    func limit() async throws {
        let asked = try await Asked()
        #expect(try await !asked.session.pendingRemoteLogins().isLimitReached)
        for _ in 0..<2 { _ = await asked.relyingParty.requestLogin(.forTests(), number: Self.number) }
        let pending = try await asked.session.pendingRemoteLogins()
        #expect(pending.isLimitReached && pending.logins.count == 3)
    }

    @Test("A wrong number ends the login, which is not confirmed")
    func wrongNumber() async throws {
        let asked = try await Asked()
        await #expect(throws: DecisionError.numberWrong) {
            try await asked.decide(.confirm, number: Self.wrongNumber)
        }
        #expect(await asked.state() == .numberWrong)
        await #expect(throws: DecisionError.remoteLoginEnded) { try await asked.decide(.confirm) }
        #expect(await asked.state() == .numberWrong)
        #expect(try await asked.phone.vault.state() == .ready(triesLeft: 10))
    }

    @Test("A missing or unexpected number is reported before a PIN is tried", arguments: [true, false])
    func numberMissingOrUnexpected(hasNumber: Bool) async throws {
        let asked = try await Asked(hasNumber: hasNumber)
        let requests = await asked.relyingParty.verbs.count
        await #expect(throws: hasNumber ? DecisionError.numberMissing : .numberUnexpected) {
            try await asked.decide(.confirm, number: hasNumber ? nil : Self.number, digits: TestPin.wrong)
        }
        #expect(await asked.relyingParty.verbs.count == requests)
        #expect(try await asked.phone.vault.state() == .ready(triesLeft: 10))
        #expect(await asked.state() == .pending)
        try await asked.decide(.confirm, number: hasNumber ? Self.number : nil)
        #expect(await asked.state() == .confirmed)
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

    @Test("Biometrics are required for each decision, and release a key", arguments: TransactionDecision.allCases)
    func biometrics(decision: TransactionDecision) async throws {
        let biometrics = ScriptedBiometrics()
        let asked = try await Asked(biometrics: biometrics)
        try await asked.phone.open.setUpBiometrics()
        func decide() async throws {
            switch decision {
            case .confirm:
                try await asked.decider.confirm(
                    asked.pending, number: Self.number, in: asked.session, biometricReason: "Log in to Night Bank")
            case .reject:
                try await asked.decider.reject(
                    asked.pending, in: asked.session, biometricReason: "Reject the login to Night Bank")
            }
        }
        biometrics.script(.fails(.notRecognised))
        await #expect(throws: DecisionError.biometrics(.notRecognised)) { try await decide() }
        #expect(await asked.relyingParty.decisions.isEmpty)
        try await decide()
        #expect(await asked.state() == (decision == .confirm ? .confirmed : .rejected))
        #expect(biometrics.reasons.count == 2)
    }

    @Test("A login with changed details is reported, and nothing is decided")
    func changed() async throws {
        let asked = try await Asked()
        await asked.relyingParty.changeLogin(asked.pending.id, details: .forTests(place: "198.51.100.1"))
        await #expect(throws: DecisionError.remoteLoginChanged) { try await asked.decide(.confirm) }
        #expect(await asked.state() == .pending)
        let shown = try #require(try await asked.session.pendingRemoteLogins().logins.first)
        #expect(shown.details.place == RemoteLoginPlace(unchecked: "198.51.100.1"))
    }

    @Test(
        "A login that has ended is reported before a PIN is tried",
        arguments: RemoteLoginState.allCases.filter { $0 != .pending })
    func ended(state: RemoteLoginState) async throws {
        let asked = try await Asked()
        await asked.relyingParty.changeLogin(asked.pending.id, to: state)
        await #expect(throws: DecisionError.remoteLoginEnded) {
            try await asked.decide(.confirm, digits: TestPin.wrong)
        }
        #expect(try await asked.phone.vault.state() == .ready(triesLeft: 10))
    }

    @Test(
        "After a lost request or answer, deciding again learns that the login has ended, or decides it",
        arguments: [ScriptedRelyingParty.Verb.beginRemoteLogin, .finishRemoteLogin],
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
            await #expect(throws: DecisionError.remoteLoginEnded) { try await asked.decide(.confirm) }
        } else {
            try await asked.decide(.confirm)
        }
        #expect(await asked.state() == .confirmed)
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

    @Test("A vault with another binding than the session's decides nothing")
    func notBound() async throws {
        let asked = try await Asked()
        let binding = try #require(try await asked.phone.open.deviceBinding())
        try await asked.phone.binder.forget(binding, in: asked.phone.open)
        try await asked.phone.bind(await asked.relyingParty.issueCode())
        await #expect(throws: DecisionError.notBound) { try await asked.decide(.confirm) }
        #expect(await asked.relyingParty.decisions.isEmpty)
    }

    @Test(
        "Any other refusal is passed on unchanged",
        arguments: [ProblemCode.accessTokenRefused, .unavailable, .challengeUsed])
    func otherRefusals(code: ProblemCode) async throws {
        let asked = try await Asked()
        for verb in [ScriptedRelyingParty.Verb.beginRemoteLogin, .finishRemoteLogin] {
            await asked.relyingParty.script(verb, .refuse(code))
            await #expect(throws: DecisionError.relyingParty(ScriptedRelyingParty.refusal(code))) {
                try await asked.decide(.confirm)
            }
        }
        try await asked.decide(.confirm)
    }

    @Test(
        "An answer counts only for its login and its decision, also if the login has gone on since",
        arguments: TransactionDecision.allCases, RemoteLoginState.allCases)
    func answers(decision: TransactionDecision, state: RemoteLoginState) async throws {
        let expected: DecisionError? =
            switch (decision, state) {
            case (.confirm, .confirmed), (.confirm, .completed), (.reject, .rejected): nil
            case (.confirm, .numberWrong): .numberWrong
            case (.confirm, .contested), (.confirm, .expired): .remoteLoginEnded
            default: .relyingParty(.unintelligible(status: 200))
            }
        let asked = try await Asked()
        await asked.relyingParty.answerLogins(with: RemoteLoginResult(login: asked.pending.id, state: state))
        #expect(try await error(of: decision, on: asked) == expected)
        await asked.relyingParty.answerLogins(with: RemoteLoginResult(login: .random(), state: state))
        await asked.relyingParty.changeLogin(asked.pending.id, to: .pending)
        #expect(try await error(of: decision, on: asked) == .relyingParty(.unintelligible(status: 200)))
    }

    private func error(of decision: TransactionDecision, on asked: Asked) async throws -> DecisionError? {
        do {
            try await asked.decide(decision)
            return nil
        } catch let error as DecisionError {
            return error
        }
    }
}
