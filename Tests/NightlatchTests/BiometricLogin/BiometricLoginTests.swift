import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Biometric login")
struct BiometricLoginTests {
    private let alice = UserID(unchecked: "alice")

    @Test("Biometric login is enabled, used and disabled")
    func story() async throws {
        let phone = try await BiometricLoginPhone()
        #expect(try await phone.login.user() == nil)
        await #expect(throws: BiometricLoginError.notEnabled) { try await phone.attempt() }
        #expect(try await phone.enable(await phone.relyingParty.issueCode()) == alice)
        #expect(phone.biometrics.reasons.isEmpty)
        #expect(try await phone.login.user() == alice)
        let session = try await phone.attempt()
        #expect(session.user == alice)
        try await phone.login.disable(phone.phone.open)
        #expect(try await phone.login.user() == nil)
        #expect(try await phone.phone.keyCount() == 0)
        #expect(try await phone.phone.open.deviceBinding() == nil)
        #expect(await phone.relyingParty.devices.values.allSatisfy { $0.isRevoked })
        await #expect(throws: BiometricLoginError.notEnabled) { try await phone.attempt() }
        try await phone.login.disable(phone.phone.open)
    }

    @Test("A refusal deletes the new keys, and another account can enable biometric login", arguments: [true, false])
    func refused(atBegin: Bool) async throws {
        let phone = try await BiometricLoginPhone()
        await phone.relyingParty.script(atBegin ? .beginBinding : .finishBinding, .refuse(.enrolmentCodeRefused))
        await #expect(
            throws: BiometricLoginError.binding(.relyingParty(ScriptedRelyingParty.refusal(.enrolmentCodeRefused)))
        ) { try await phone.enable(await phone.relyingParty.issueCode()) }
        #expect(try await phone.phone.keyCount() == 0)
        #expect(phone.biometrics.keys.isEmpty)
        #expect(try await phone.login.user() == nil)
        let other = try await phone.otherAccount()
        try await phone.enable(
            await phone.relyingParty.issueCode(for: UserID(unchecked: "bob")), in: other.open)
        #expect(try await phone.login.user() == UserID(unchecked: "bob"))
    }

    @Test("Without an answer enabling stays pending, and the same code gets the same answer", arguments: [true, false])
    func lost(answerIsLost: Bool) async throws {
        let phone = try await BiometricLoginPhone()
        let code = await phone.relyingParty.issueCode()
        await phone.relyingParty.script(.finishBinding, answerIsLost ? .loseAnswer : .loseRequest)
        await #expect(throws: BiometricLoginError.self) { try await phone.enable(code) }
        #expect(try await phone.phone.keyCount() == 2)
        #expect(try await phone.login.user() == nil)
        // The keys may be bound by now, so no other account can enable it.
        let other = try await phone.otherAccount()
        await #expect(throws: BiometricLoginError.enabledForAnother(nil)) {
            try await phone.enable(await phone.relyingParty.issueCode(), in: other.open)
        }
        let tags = try await phone.phone.keyTags()
        #expect(try await phone.enable(code) == alice)
        #expect(try await phone.phone.keyTags() == tags)
        #expect(await phone.relyingParty.devices.count == 1)
        _ = try await phone.attempt()
    }

    @Test("Each attempt asks the user and sends a new login, and leaves the vault locked")
    func attempts() async throws {
        let phone = try await BiometricLoginPhone.enabled()
        await phone.phone.open.lock()
        for count in 1...3 {
            _ = try await phone.attempt()
            #expect(phone.biometrics.reasons.count == count)
            #expect(await phone.relyingParty.verbs.suffix(2) == [.beginLogin, .tokens])
        }
        let challenges = try await phone.relyingParty.logins.map { try $0.claims(LoginClaims.self).challenge }
        #expect(Set(challenges).count == 3)
    }

    @Test(
        "If the user is not recognised, no request is sent",
        arguments: [BiometricError.notRecognised, .cancelled, .pinChosen])
    func notRecognised(failure: BiometricError) async throws {
        let phone = try await BiometricLoginPhone.enabled()
        let verbs = await phone.relyingParty.verbs
        phone.biometrics.script(.fails(failure))
        await #expect(throws: BiometricLoginError.unlock(.biometrics(failure))) { try await phone.attempt() }
        #expect(await phone.relyingParty.verbs == verbs)
        #expect(try await phone.login.user() == alice)
        _ = try await phone.attempt()
    }

    @Test("Disabling revokes at the relying party first: without an answer the keys stay, and it is not offered")
    func disableOffline() async throws {
        let phone = try await BiometricLoginPhone.enabled()
        for verb in [ScriptedRelyingParty.Verb.beginLogin, .tokens, .revoke] {
            await phone.relyingParty.script(verb, .loseRequest)
            await #expect(throws: BiometricLoginError.self) { try await phone.login.disable(phone.phone.open) }
            #expect(try await phone.phone.keyCount() == 2)
            #expect(try await phone.login.user() == nil)
            await #expect(throws: BiometricLoginError.notEnabled) { try await phone.attempt() }
        }
        await phone.relyingParty.script(.revoke, .loseAnswer)
        await #expect(throws: BiometricLoginError.self) { try await phone.login.disable(phone.phone.open) }
        #expect(await phone.relyingParty.devices.values.allSatisfy { $0.isRevoked })
        #expect(try await phone.phone.keyCount() == 2)
        try await phone.login.disable(phone.phone.open)
        #expect(try await phone.phone.keyCount() == 0)
        try await phone.enable(await phone.relyingParty.issueCode())
        _ = try await phone.attempt()
    }

    @Test(
        "Disabling a pending binding revokes at the relying party first, if the binding was completed there",
        arguments: [ScriptedRelyingParty.Mishap.loseAnswer, .loseRequest])
    func disablePending(mishap: ScriptedRelyingParty.Mishap) async throws {
        let phone = try await BiometricLoginPhone()
        // Another binding of the same user, which must stay.
        let other = try await phone.otherAccount()
        let kept = try await phone.phone.bind(await phone.relyingParty.issueCode(), in: other.open)
        let keyCount = try await phone.phone.keyCount()
        await phone.relyingParty.script(.finishBinding, mishap)
        await #expect(throws: BiometricLoginError.self) {
            try await phone.enable(await phone.relyingParty.issueCode())
        }
        for verb in [ScriptedRelyingParty.Verb.beginLogin, .tokens] {
            await phone.relyingParty.script(verb, .loseRequest)
            await #expect(throws: BiometricLoginError.login(.relyingParty(.unreachable(reason: "lost")))) {
                try await phone.login.disable(phone.phone.open)
            }
            #expect(try await phone.phone.keyCount() == keyCount + 2)
            #expect(try await phone.login.user() == nil)
        }
        if case .loseRequest = mishap {
            // A request that seems lost may only be slow.
            for wait in [181, 1] {
                await #expect(throws: BiometricLoginError.bindingUndecided(wait: .seconds(wait))) {
                    try await phone.login.disable(phone.phone.open)
                }
                await phone.relyingParty.pass(.seconds(wait - 1))
            }
            await phone.relyingParty.pass(.seconds(1))
        }
        try await phone.login.disable(phone.phone.open)
        #expect(try await phone.phone.keyCount() == keyCount)
        #expect(try await phone.phone.open.deviceBinding() == nil)
        let devices = await phone.relyingParty.devices
        let isBound = if case .loseAnswer = mishap { true } else { false }
        #expect(devices.count == (isBound ? 2 : 1))
        for (id, device) in devices { #expect(device.isRevoked == (id != kept.device)) }
        // Another account can enable it.
        try await phone.enable(await phone.relyingParty.issueCode(), in: other.open)
    }

    @Test("Disabling deletes a pending binding that was revoked, or whose keys are lost")
    func disableLost() async throws {
        for isRevoked in [true, false] {
            let phone = try await BiometricLoginPhone()
            await phone.relyingParty.script(.finishBinding, .loseAnswer)
            await #expect(throws: BiometricLoginError.self) {
                try await phone.enable(await phone.relyingParty.issueCode())
            }
            if isRevoked {
                await phone.relyingParty.revokeAll()
            } else {
                for tag in try await phone.phone.keyTags() { try await phone.phone.keys.remove(tag) }
            }
            try await phone.login.disable(phone.phone.open)
            #expect(try await phone.phone.keyCount() == 0)
            #expect(await phone.relyingParty.devices.values.map(\.isRevoked) == [isRevoked])
            try await phone.enable(await phone.relyingParty.issueCode())
        }
    }

    @Test("A binding that is completed while it is disabled is detected, and revoked")
    func disableWhileBinding() async throws {
        let phone = try await BiometricLoginPhone()
        let code = await phone.relyingParty.issueCode()
        await phone.relyingParty.script(.finishBinding, .loseRequest)
        await #expect(throws: BiometricLoginError.self) { try await phone.enable(code) }
        await phone.relyingParty.pass(.seconds(181))
        // Between the answer that nothing is bound and the removal of the keys.
        await phone.relyingParty.after(.tokens) {
            await #expect(throws: Never.self) { try await phone.phone.bind(code) }
        }
        try await phone.login.disable(phone.phone.open)
        #expect(try await phone.phone.keyCount() == 0)
        #expect(try await phone.phone.open.deviceBinding() == nil)
        #expect(await phone.relyingParty.devices.values.map(\.isRevoked) == [true])
    }

    @Test("A binding that is disabled before it is sent is not sent")
    func disableWhileBeginning() async throws {
        let phone = try await BiometricLoginPhone()
        await phone.relyingParty.after(.beginBinding) {
            await #expect(throws: Never.self) { try await phone.login.disable(phone.phone.open) }
        }
        await #expect(throws: BiometricLoginError.binding(.superseded)) {
            try await phone.enable(await phone.relyingParty.issueCode())
        }
        #expect(await phone.relyingParty.verbs == [.beginBinding])
        #expect(try await phone.phone.keyCount() == 0)
    }

    @Test("A refusal removes nothing from another call that has enabled it at the same time")
    func enabledMeanwhile() async throws {
        let phone = try await BiometricLoginPhone()
        let code = await phone.relyingParty.issueCode()
        await phone.relyingParty.script(.finishBinding, .refuse(.enrolmentCodeRefused))
        await phone.relyingParty.after(.finishBinding) {
            await #expect(throws: Never.self) { try await phone.enable(code) }
        }
        await #expect(throws: BiometricLoginError.self) { try await phone.enable(code) }
        #expect(try await phone.login.user() == alice)
        _ = try await phone.attempt()
        try await phone.login.disable(phone.phone.open)
        #expect(await phone.relyingParty.devices.values.map(\.isRevoked) == [true])
    }

    @Test("A binding by another call during a refusal can still be disabled")
    func boundMeanwhile() async throws {
        let phone = try await BiometricLoginPhone()
        let code = await phone.relyingParty.issueCode()
        await phone.relyingParty.script(.finishBinding, .refuse(.enrolmentCodeRefused))
        await phone.relyingParty.after(.finishBinding) {
            await #expect(throws: Never.self) { try await phone.phone.bind(code) }
        }
        await #expect(throws: BiometricLoginError.self) { try await phone.enable(code) }
        try await phone.login.disable(phone.phone.open)
        #expect(await phone.relyingParty.devices.values.map(\.isRevoked) == [true])
        #expect(try await phone.phone.keyCount() == 0)
    }

    @Test("If no binding was sent, disabling sends no request")
    func disableUnsent() async throws {
        let phone = try await BiometricLoginPhone()
        await phone.relyingParty.script(.beginBinding, .loseAnswer)
        await #expect(throws: BiometricLoginError.self) {
            try await phone.enable(await phone.relyingParty.issueCode())
        }
        #expect(try await phone.phone.keyCount() == 2)
        try await phone.login.disable(phone.phone.open)
        #expect(try await phone.phone.keyCount() == 0)
        #expect(await phone.relyingParty.verbs == [.beginBinding])
    }

    @Test("Enabling while disabling is pending first completes it, and makes new keys")
    func enableWhileDisabling() async throws {
        let phone = try await BiometricLoginPhone.enabled()
        let tags = try await phone.phone.keyTags()
        await phone.relyingParty.script(.revoke, .loseRequest)
        await #expect(throws: BiometricLoginError.self) { try await phone.login.disable(phone.phone.open) }
        try await phone.enable(await phone.relyingParty.issueCode())
        #expect(try await phone.phone.keyTags().isDisjoint(with: tags))
        #expect(await phone.relyingParty.devices.values.filter { !$0.isRevoked }.count == 1)
    }

    @Test("A second account is refused until the first has disabled it, and changes nothing of the first")
    func secondAccount() async throws {
        let phone = try await BiometricLoginPhone.enabled()
        let other = try await phone.otherAccount()
        let code = await phone.relyingParty.issueCode(for: UserID(unchecked: "bob"))
        let verbs = await phone.relyingParty.verbs
        await #expect(throws: BiometricLoginError.enabledForAnother(alice)) {
            try await phone.enable(code, in: other.open)
        }
        await #expect(throws: BiometricLoginError.enabledForAnother(alice)) {
            try await phone.login.disable(other.open)
        }
        try await other.open.setUpBiometrics()
        await #expect(throws: BiometricLoginError.enabledForAnother(alice)) { try await phone.attempt(other.vault) }
        #expect(await phone.relyingParty.verbs == verbs)
        #expect(try await phone.login.user() == alice)
        try await phone.login.disable(phone.phone.open)
        try await phone.enable(code, in: other.open)
        #expect(try await phone.attempt(other.vault).user == UserID(unchecked: "bob"))
    }

    @Test("If two accounts enable it at the same time, one succeeds", arguments: 0..<5)
    func secondAccountAtOnce(round: Int) async throws {
        let phone = try await BiometricLoginPhone()
        let other = try await phone.otherAccount()
        let openings = [phone.phone.open, other.open]
        let enabled = try await withThrowingTaskGroup(of: Bool.self) { group in
            for open in openings {
                group.addTask {
                    do {
                        try await phone.enable(await phone.relyingParty.issueCode(), in: open)
                        return true
                    } catch let error as BiometricLoginError {
                        guard case .enabledForAnother = error.code else { throw error }
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(enabled == 1)
        #expect(await phone.relyingParty.devices.count == 1)
    }

    @Test("A blocked device stays enabled, keeps its keys, and logs in again after it is unblocked")
    func blocked() async throws {
        let phone = try await BiometricLoginPhone.enabled()
        await phone.relyingParty.barAll(.deviceBlocked)
        await #expect(throws: BiometricLoginError.login(.blocked)) { try await phone.attempt() }
        #expect(try await phone.phone.keyCount() == 2)
        #expect(try await phone.login.user() == alice)
        await phone.relyingParty.barAll(nil)
        _ = try await phone.attempt()
    }

    @Test(
        "A device that was revoked or replaced loses its keys and is not offered any more",
        arguments: [ProblemCode.deviceRevoked, .deviceReplaced])
    func revoked(code: ProblemCode) async throws {
        let phone = try await BiometricLoginPhone.enabled()
        await phone.relyingParty.barAll(code)
        await #expect(throws: BiometricLoginError.login(.revoked)) { try await phone.attempt() }
        #expect(try await phone.phone.keyCount() == 0)
        #expect(try await phone.login.user() == nil)
        #expect(try await phone.phone.open.texts() == ["wallet": "seed"])
        await #expect(throws: BiometricLoginError.notEnabled) { try await phone.attempt() }
        try await phone.enable(await phone.relyingParty.issueCode())
        _ = try await phone.attempt()
    }

    @Test(
        "Any other refusal leaves it enabled", arguments: [ProblemCode.messageRefused, .unavailable, .dpopProofRefused])
    func otherRefusal(code: ProblemCode) async throws {
        let phone = try await BiometricLoginPhone.enabled()
        await phone.relyingParty.script(.tokens, .refuse(code))
        await #expect(throws: BiometricLoginError.login(.relyingParty(ScriptedRelyingParty.refusal(code)))) {
            try await phone.attempt()
        }
        #expect(try await phone.login.user() == alice)
        _ = try await phone.attempt()
    }

    @Test("Disabling a replaced device removes the keys", arguments: [false, true])
    func disableReplaced(isToldInSession: Bool) async throws {
        let phone = try await BiometricLoginPhone.enabled()
        if isToldInSession {
            await phone.relyingParty.script(.revoke, .refuse(.deviceReplaced))
        } else {
            await phone.relyingParty.barAll(.deviceReplaced)
        }
        try await phone.login.disable(phone.phone.open)
        #expect(try await phone.phone.keyCount() == 0)
        #expect(try await phone.login.user() == nil)
    }

    @Test("A vault that is already bound keeps its binding, and is not bound a second time")
    func alreadyBound() async throws {
        let phone = try await BiometricLoginPhone()
        let binding = try await phone.phone.bind(await phone.relyingParty.issueCode())
        try await phone.enable(.random())
        #expect(try await phone.attempt().device == binding.device)
        #expect(await phone.relyingParty.devices.count == 1)
    }

    @Test(
        "Without available biometrics, nothing is begun",
        arguments: BiometricAvailability.allCases.filter { $0 != .available })
    func unavailable(availability: BiometricAvailability) async throws {
        let phone = try await BiometricLoginPhone()
        phone.biometrics.set(availability)
        await #expect(throws: BiometricLoginError.setUp(.biometrics(.unavailable(availability)))) {
            try await phone.enable(await phone.relyingParty.issueCode())
        }
        #expect(await phone.relyingParty.verbs.isEmpty)
        #expect(try await phone.store.read() == nil)
    }

    @Test("A changed enrolment is reported, and biometric login can be enabled again after the PIN")
    func enrolmentChanged() async throws {
        let phone = try await BiometricLoginPhone.enabled()
        phone.biometrics.changeEnrolment()
        await #expect(throws: BiometricLoginError.unlock(.biometrics(.enrolmentChanged))) { try await phone.attempt() }
        try await phone.enable(.random())
        _ = try await phone.attempt()
    }

    @Test(
        "A malformed record is corrupt or newer, never absent",
        arguments: [
            (#"{}"#, RegistryError(.biometricLogin, .corrupt)), ("", RegistryError(.biometricLogin, .corrupt)),
            (#"{"format":1}"#, RegistryError(.biometricLogin, .corrupt)),
            (#"{"format":2}"#, RegistryError(.biometricLogin, .newerFormat(found: 2, newestKnown: 1))),
        ])
    func damaged(text: String, error: RegistryError) async throws {
        let phone = try await BiometricLoginPhone()
        try await phone.store.replace(StoredRecord(revision: 1, bytes: Array(text.utf8)), expecting: nil)
        await #expect(throws: error) { try await phone.login.user() }
        await #expect(throws: BiometricLoginError.record(error)) { try await phone.attempt() }
        await #expect(throws: BiometricLoginError.record(error)) { try await phone.login.disable(phone.phone.open) }
        await #expect(throws: BiometricLoginError.record(error)) {
            try await phone.enable(await phone.relyingParty.issueCode())
        }
        #expect(await phone.relyingParty.verbs.isEmpty)
        try await phone.login.forget()
        try await phone.enable(await phone.relyingParty.issueCode())
    }
}
