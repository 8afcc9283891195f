import Nightlatch
public import NightlatchJourney
public import NightlatchUI
public import Observation

/// The screens that a journey shows where the app brings none: the pad for an application PIN, the list of keys to sign with, and what is about to be
/// signed.
///
/// ```swift
/// @State private var screens = JourneyScreens()
///
/// let environment = DeviceBindingEnvironment(…, userInterface: screens.userInterface)
/// ```
///
/// In SwiftUI `journeyScreens(_:)` draws them over the app. They show one thing at a time: whoever asks while another waits takes its place, and
/// the other is answered that the person cancelled. When a callback's time is over its screen goes away.
@MainActor @Observable
public final class JourneyScreens {
    /// What the pad is shown with; nil while no PIN is asked for.
    public private(set) var pinPrompt: Prompt?
    /// What the list of keys is shown with; nil while no key is to be chosen.
    public private(set) var keyChoice: KeyChoice?
    /// What a person is asked to sign; nil while nothing is.
    public private(set) var approval: Approval?
    /// The pad that a PIN is typed at.
    public let pad: PinPadModel

    /// Keys of which a person is to choose one.
    public struct KeyChoice: Hashable, Sendable, Identifiable {
        public let id: Int
        public let keys: [UserKey]
        public let prompt: Prompt
    }

    /// Something that a person may have signed or not.
    public struct Approval: Hashable, Sendable, Identifiable {
        public let id: Int
        public let content: SigningContent
    }

    @ObservationIgnored private var questionCount = 0
    @ObservationIgnored private var selection: CheckedContinuation<UserKey?, Never>?
    @ObservationIgnored private var decision: CheckedContinuation<Bool, Never>?

    /// - Parameter isShuffled: Whether the digits stand in another order each time.
    nonisolated public init(isShuffled: Bool = false) {
        pad = PinPadModel(isShuffled: isShuffled)
    }

    isolated deinit { withdrawQuestions() }

    /// What a `DeviceBindingEnvironment` asks by. It does not keep the screens alive: without them nobody can be asked, as if they had
    /// cancelled.
    nonisolated public var userInterface: BindingUserInterface {
        BindingUserInterface(
            enterPin: { [weak self] prompt in
                await self?.askForPin(prompt) { pad in await pad.collectPin(reason: prompt.reason) }
            },
            enterPinAgain: { [weak self] prompt, triesLeft in
                await self?.askForPin(prompt) { pad in
                    await pad.collectPin(reason: prompt.reason, after: .wrong(triesLeft: triesLeft))
                }
            },
            choosePin: { [weak self] policy, prompt in
                await self?.askForPin(prompt) { pad in await pad.collectNewPin(policy: policy) }
            },
            selectKey: { [weak self] keys, prompt in await self?.selectKey(among: keys, prompt) },
            approveSigning: { [weak self] content in await self?.askToSign(content) ?? false })
    }

    /// The person has chosen a key, or has cancelled: nil. One that is not offered is as good as none.
    public func select(_ key: UserKey?) {
        let offered = keyChoice?.keys ?? []
        keyChoice = nil
        selection.take()?.resume(returning: key.flatMap { offered.contains($0) ? $0 : nil })
    }

    /// The person has said whether what they were shown may be signed.
    public func sign(_ isApproved: Bool) {
        approval = nil
        decision.take()?.resume(returning: isApproved)
    }

    /// Whoever has asked before is answered that the person cancelled.
    private func withdrawQuestions() {
        select(nil)
        sign(false)
    }

    private func askForPin(
        _ prompt: Prompt,
        at ask: @MainActor (PinPadModel) async -> PinBox?
    ) async -> PinBox? {
        withdrawQuestions()
        let question = nextQuestion()
        pinPrompt = prompt
        let box = await ask(pad)
        // Somebody else may have asked meanwhile.
        if question == questionCount { pinPrompt = nil }
        return box
    }

    private func selectKey(among keys: [UserKey], _ prompt: Prompt) async -> UserKey? {
        let question = nextQuestionAwayFromPad()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                selection = continuation
                keyChoice = KeyChoice(id: question, keys: keys, prompt: prompt)
                // The handler below may have come before there was anybody to answer for.
                if Task.isCancelled { select(nil) }
            }
        } onCancel: {
            Task { @MainActor in self.withdraw(question) }
        }
    }

    private func askToSign(_ content: SigningContent) async -> Bool {
        // A yes is about to be said to what stands there: nothing else takes its place.
        guard approval == nil else { return false }
        let question = nextQuestionAwayFromPad()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                decision = continuation
                approval = Approval(id: question, content: content)
                if Task.isCancelled { sign(false) }
            }
        } onCancel: {
            Task { @MainActor in self.withdraw(question) }
        }
    }

    private func withdraw(_ question: Int) {
        if keyChoice?.id == question { select(nil) }
        if approval?.id == question { sign(false) }
    }

    private func nextQuestionAwayFromPad() -> Int {
        pad.withdraw()
        pinPrompt = nil
        withdrawQuestions()
        return nextQuestion()
    }

    private func nextQuestion() -> Int {
        questionCount += 1
        return questionCount
    }
}

extension Prompt {
    /// What the person is told below the title.
    var reason: String { [subtitle, description].filter { !$0.isEmpty }.joined(separator: "\n") }
}
