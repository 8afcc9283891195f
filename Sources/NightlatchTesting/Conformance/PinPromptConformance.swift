public import Nightlatch
import NightlatchWire

/// An action of a user at a prompt, for ``PinPromptConformance``.
public enum PinPromptAct: Hashable, Sendable {
    /// Types this PIN and submits it, twice if the prompt asks for a repetition.
    case type(String)
    case cancel
    /// Says that the PIN is forgotten, and confirms it.
    case forget
    case chooseBiometrics
    /// Does nothing.
    case wait
}

/// The promises of every `PinPrompt`. Run them on every adapter:
///
/// ```swift
/// @Test(arguments: PinPromptConformance.allCases)
/// func pinPad(_ promise: PinPromptConformance) async throws {
///     try await promise.check { act in
///         let pad = PinPad()
///         return (pad, { await pad.perform(act) })
///     }
/// }
/// ```
///
/// Give the test a time limit. Only the limit detects and cancels a prompt that never answers.
public enum PinPromptConformance: String, CaseIterable, Sendable {
    case aTypedPinIsAnswered
    case aPinIsAnsweredAgainAfterAWrongOne
    case eachPinComesInABoxOfItsOwn
    case cancellingIsAnsweredAsThat
    case aForgottenPinIsAnsweredAsThat
    case choosingBiometricsIsAnsweredAsThat
    case aPromptWhoseTaskIsCancelledAnswersThatThePersonCancelled
    case aChosenPinIsAnswered
    case aPinIsChosenAgainAfterARefusedOne
    case cancellingTheChoiceIsAnsweredAsThat
    case aChoiceWhoseTaskIsCancelledAnswersThatThePersonCancelled

    /// Returns a prompt, and a closure that performs a user's action at it. The closure starts together with the
    /// prompt, and returns when the action is done.
    public typealias MakePrompt = (PinPromptAct) -> (prompt: any PinPrompt, act: @Sendable () async -> Void)

    /// Checks this promise.
    ///
    /// - Throws: ``ConformanceFailure``.
    public func check(_ makePrompt: MakePrompt) async throws(ConformanceFailure) {
        for (act, expected) in expectations {
            let (prompt, perform) = makePrompt(act)
            let answering = Task { await answer(of: prompt, to: act) }
            await perform()
            if act == .wait { answering.cancel() }
            let given = await withTaskCancellationHandler {
                await answering.value
            } onCancel: {
                answering.cancel()
            }
            try ConformanceFailure.require(given == expected, rawValue)
        }
    }

    private enum Answer: Hashable {
        case typedPin, otherPin, emptyBox, cancelled, forgotten, biometrics
    }

    private var expectations: [(PinPromptAct, Answer)] {
        switch self {
        case .aTypedPinIsAnswered, .aPinIsAnsweredAgainAfterAWrongOne, .aChosenPinIsAnswered,
            .aPinIsChosenAgainAfterARefusedOne:
            [(.type("482915"), .typedPin), (.type("4829"), .typedPin), (.type("482915073618"), .typedPin)]
        case .eachPinComesInABoxOfItsOwn: [(.type("482915"), .typedPin), (.type("482915"), .typedPin)]
        case .cancellingIsAnsweredAsThat, .cancellingTheChoiceIsAnsweredAsThat: [(.cancel, .cancelled)]
        case .aForgottenPinIsAnsweredAsThat: [(.forget, .forgotten)]
        case .choosingBiometricsIsAnsweredAsThat: [(.chooseBiometrics, .biometrics)]
        case .aPromptWhoseTaskIsCancelledAnswersThatThePersonCancelled,
            .aChoiceWhoseTaskIsCancelledAnswersThatThePersonCancelled:
            [(.wait, .cancelled)]
        }
    }

    private func answer(of prompt: any PinPrompt, to act: PinPromptAct) async -> Answer {
        let profile = Profile(id: .random(), name: ProfileName(unchecked: "Alice"))
        switch self {
        case .aChosenPinIsAnswered, .aPinIsChosenAgainAfterARefusedOne, .cancellingTheChoiceIsAnsweredAsThat,
            .aChoiceWhoseTaskIsCancelledAnswersThatThePersonCancelled:
            // Allow any length, so that a pad that knows the possible lengths accepts all PINs of this suite.
            let challenge = CreatePinChallenge(
                profile: profile, purpose: .registration, policy: .anyLength,
                objections: self == .aPinIsChosenAgainAfterARefusedOne ? [.common(.run), .common(.date)] : [])
            switch await prompt.createPin(challenge) {
            case .pin(let box): return Self.read(box, typed: act)
            case .cancelled: return .cancelled
            }
        default:
            let isAgain = self == .aPinIsAnsweredAgainAfterAWrongOne
            let challenge = PinChallenge(
                profile: profile, purpose: .unlock(reason: "Conformance"),
                attempts: .init(
                    failureCount: isAgain ? 7 : 0, triesLeft: isAgain ? 3 : 10,
                    lastTry: isAgain ? .wrong(triesLeft: 3, wait: nil) : nil),
                offersBiometrics: true)
            switch await prompt.enterPin(challenge) {
            case .pin(let box): return Self.read(box, typed: act)
            case .cancelled: return .cancelled
            case .forgotten: return .forgotten
            case .biometrics: return .biometrics
            }
        }
    }

    private static func read(_ box: PinBox, typed act: PinPromptAct) -> Answer {
        guard let pin = box.take() else { return .emptyBox }
        guard case .type(let digits) = act else { return .otherPin }
        do {
            let typed = try Pin(digits: SecretBytes(copying: Array(digits.utf8)))
            return pin.isEqual(to: typed) ? .typedPin : .otherPin
        } catch {
            preconditionFailure("the suite typed an invalid PIN: \(error)")
        }
    }
}
