import DeviceChecks
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("Device checks of biometrics")
struct BiometricCheckTests {
    private let device = CheckedDevice()
    private var model: EnclaveModel { device.device.model }

    @Test("The user is asked once for each key, and then how many prompts there were", arguments: [true, false])
    func prompts(wereTwo: Bool) async {
        let runner = device.runner
        let asked = await runner.perform(.run, on: .onePrompt)
        #expect(asked.row(.onePrompt)?.state == .waiting(.countPrompts))
        #expect(asked.row(.onePrompt)?.actions == [.yes, .no, .run])
        #expect(
            model.get(\.shown).map(\.policy) == [.deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthentication])
        let answered = await runner.perform(wereTwo ? .yes : .no, on: .onePrompt)
        #expect(answered.verdict(.onePrompt) == (wereTwo ? .held : .didNotHold))
        #expect(answered.facts(.onePrompt)["biometrics_only"] == "opened")
        #expect(answered.facts(.onePrompt)["biometrics_or_passcode"] == "opened")
    }

    @Test("A key that fails after the user was recognised does not hold, with the code")
    func secondPrompt() async {
        let biometrics = ScriptedBiometrics()
        biometrics.script(.fails(.failed(systemStatus: -1004)))
        var device = device
        device.keyring = biometrics
        let overview = await device.runner.perform(.run, on: .onePrompt)
        #expect(overview.verdict(.onePrompt) == .didNotHold)
        #expect(overview.facts(.onePrompt)["biometrics_only"]?.contains("-1004") == true)
    }

    @Test("A cancelled prompt decides nothing")
    func cancelled() async {
        model.set { $0.acts = [.cancels] }
        let row = await device.runner.perform(.run, on: .onePrompt).row(.onePrompt)
        #expect(row?.state == .notRun)
        #expect(row?.problem != nil)
        #expect(row?.actions == [.run])
    }

    @Test("Without an enrolled face or finger, nothing can be shown")
    func notEnrolled() async {
        model.set { $0.enrolment = nil }
        let runner = device.runner
        for assumption in [Assumption.onePrompt, .changedEnrolment] {
            #expect(await runner.perform(.run, on: assumption).verdict(assumption) == .notPossible)
        }
    }

    @Test("A changed enrolment holds if the keyring reports it and the hash is different")
    func changedEnrolment() async {
        let before = await device.runner.perform(.run, on: .changedEnrolment)
        #expect(before.row(.changedEnrolment)?.state == .waiting(.changeEnrolment))
        model.set { $0.enrolment = 2 }
        // The app was ended in between.
        let after = await device.runner.perform(.proceed, on: .changedEnrolment)
        #expect(after.verdict(.changedEnrolment) == .held)
        #expect(
            after.facts(.changedEnrolment) == [
                "keyring": "enrolmentChanged", "system": "CryptoTokenKit -6", "hash_before": "given",
                "hash_after": "different",
            ])
    }

    @Test("A key that still works, or a hash that is the same or missing, does not hold")
    func unchangedEnrolment() async {
        let runner = device.runner
        _ = await runner.perform(.run, on: .changedEnrolment)
        let same = await runner.perform(.proceed, on: .changedEnrolment)
        #expect(same.verdict(.changedEnrolment) == .didNotHold)
        #expect(same.facts(.changedEnrolment)["keyring"] == "opened")
        #expect(same.facts(.changedEnrolment)["hash_after"] == "the same")

        model.set { $0.hashSalt = nil }
        _ = await runner.perform(.run, on: .changedEnrolment)
        model.set { $0.enrolment = 2 }
        let missing = await runner.perform(.proceed, on: .changedEnrolment)
        #expect(missing.verdict(.changedEnrolment) == .didNotHold)
        #expect(missing.facts(.changedEnrolment)["keyring"] == "enrolmentChanged")
        #expect(missing.facts(.changedEnrolment)["hash_after"] == "none")
    }

    @Test("A prompt that is cancelled after the change keeps the check waiting")
    func cancelledAfterwards() async {
        let runner = device.runner
        _ = await runner.perform(.run, on: .changedEnrolment)
        model.set { state in
            state.enrolment = 2
            state.acts = [.cancels]
        }
        let row = await runner.perform(.proceed, on: .changedEnrolment).row(.changedEnrolment)
        #expect(row?.state == .waiting(.changeEnrolment))
        #expect(row?.problem != nil)
        #expect(await runner.perform(.proceed, on: .changedEnrolment).verdict(.changedEnrolment) == .held)
    }

    @Test("An action that the state does not offer changes nothing")
    func unofferedAction() async {
        let runner = device.runner
        for action in [CheckAction.proceed, .yes, .no, .itemsAreGone] {
            #expect(await runner.perform(action, on: .onePrompt).row(.onePrompt)?.state == .notRun)
        }
        #expect(model.get(\.shown).isEmpty)
    }
}
