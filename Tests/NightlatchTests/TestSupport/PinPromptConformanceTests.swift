import Nightlatch
import NightlatchTesting
import Testing

@Suite("Conformance checks of PIN prompts")
struct PinPromptConformanceTests {
    @Test("The scripted user passes every check", arguments: PinPromptConformance.allCases)
    func scriptedPerson(promise: PinPromptConformance) async throws {
        try await promise.check { act in
            let person =
                switch act {
                case .type(let digits): ScriptedPerson(entering: [.pin(digits)], creating: [.pin(digits)])
                case .cancel: ScriptedPerson(entering: [.cancel], creating: [.cancel])
                case .forget: ScriptedPerson(entering: [.forget])
                case .chooseBiometrics: ScriptedPerson(entering: [.useBiometrics])
                case .wait: ScriptedPerson()
                }
            return (person, {})
        }
    }

    enum Defect: CaseIterable {
        case emptyBoxes, sameBox, cutsPins, cancelsAlways, neverCancels, forgetsSilently
    }

    @Test("A prompt with a defect fails at least one check", arguments: Defect.allCases)
    func defect(defect: Defect) async throws {
        var broken: [PinPromptConformance] = []
        let box = PinBox(try Pin(TestPin.right))
        for promise in PinPromptConformance.allCases {
            do {
                try await promise.check { act in (DefectivePrompt(defect: defect, act: act, sameBox: box), {}) }
            } catch {
                broken.append(promise)
            }
        }
        #expect(!broken.isEmpty)
        #expect(broken.count < PinPromptConformance.allCases.count)
    }

    private struct DefectivePrompt: PinPrompt {
        let defect: Defect
        let act: PinPromptAct
        let sameBox: PinBox

        func enterPin(_ challenge: PinChallenge) async -> PinAnswer {
            switch act {
            case .type(let digits): defect == .cancelsAlways ? .cancelled : .pin(box(digits))
            case .cancel, .wait: defect == .neverCancels ? .pin(box(TestPin.right)) : .cancelled
            case .forget: defect == .forgetsSilently ? .cancelled : .forgotten
            case .chooseBiometrics: .biometrics
            }
        }

        func createPin(_ challenge: CreatePinChallenge) async -> CreatePinAnswer {
            guard case .type(let digits) = act, defect != .cancelsAlways else {
                return defect == .neverCancels ? .pin(box(TestPin.right)) : .cancelled
            }
            return .pin(box(digits))
        }

        private func box(_ digits: String) -> PinBox {
            guard let pin = try? Pin(defect == .cutsPins ? String(digits.prefix(6)) : digits) else { return sameBox }
            let box = defect == .sameBox ? sameBox : PinBox(pin)
            if defect == .emptyBoxes { _ = box.take() }
            return box
        }
    }
}
