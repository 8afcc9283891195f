public import Nightlatch
import NightlatchWire

/// What a person does at a prompt, for ``PinPromptConformance`` to ask for.
public enum PinPromptAct: Hashable, Sendable {
    /// Types this PIN and submits it, twice where the prompt wants it repeated.
    case type(String)
    case cancel
    /// Says that they have forgotten the PIN, and that they are sure.
    case forget
    case chooseBiometrics
    /// Looks at the prompt and does nothing.
    case wait
}

/// What every `PinPrompt` must do, to be run on every adapter:
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
/// A prompt that never answers is found out only by the test's own time limit, which cancels it.
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

    /// Makes a prompt, and what a person does at it: an act that returns when it is done, and is begun together with the prompt.
    public typealias MakePrompt = (PinPromptAct) -> (prompt: any PinPrompt, act: @Sendable () async -> Void)

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
            // Any length, so that a pad which knows how long a PIN must be takes all that are typed here.
            guard let policy = PinPolicy(lengths: Pin.lengths) else { preconditionFailure("all lengths are lengths") }
            let challenge = CreatePinChallenge(
                profile: profile, purpose: .registration, policy: policy,
                objections: self == .aPinIsChosenAgainAfterARefusedOne ? [.common(.run), .common(.date)] : [])
            switch await prompt.createPin(challenge) {
            case .pin(let box): return Self.read(box, typed: act)
            case .cancelled: return .cancelled
            }
        default:
            let isAgain = self == .aPinIsAnsweredAgainAfterAWrongOne
            let challenge = PinChallenge(
                profile: profile, purpose: .unlock(reason: "Conformance"), failureCount: isAgain ? 7 : 0,
                triesLeft: isAgain ? 3 : 10, lastTry: isAgain ? .wrong(triesLeft: 3, wait: nil) : nil,
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
            preconditionFailure("the suite types a PIN that is none: \(error)")
        }
    }
}
