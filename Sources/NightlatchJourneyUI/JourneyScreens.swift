import Nightlatch
public import NightlatchJourney
public import NightlatchUI
public import Observation

/// The screens of a journey for apps without their own: the pad for an application PIN, the list of keys, and the
/// content to sign.
///
/// ```swift
/// @State private var screens = JourneyScreens()
///
/// var environment = DeviceBindingEnvironment(…)
/// environment.userInterface = screens.userInterface
/// ```
///
/// In SwiftUI, `journeyScreens(_:)` draws them over the app. They ask one question at a time. A new question replaces a
/// pending one, which is answered as cancelled. After a callback's timeout its screen disappears.
@MainActor @Observable
public final class JourneyScreens {
    /// The texts of the pad. Nil if no PIN is asked for.
    public private(set) var pinPrompt: Prompt?
    /// The keys to choose from. Nil if no key is to be chosen.
    public private(set) var keyChoice: KeyChoice?
    /// The content to approve. Nil if there is none.
    public private(set) var approval: Approval?
    /// The pad for PINs.
    public let pad: PinPadModel

    /// A choice between several keys.
    public struct KeyChoice: Hashable, Sendable, Identifiable {
        public let id: Int
        public let keys: [UserKey]
        public let prompt: Prompt
    }

    /// A question whether to sign some content.
    public struct Approval: Hashable, Sendable, Identifiable {
        public let id: Int
        public let content: SigningContent
    }

    @ObservationIgnored private var questionCount = 0
    @ObservationIgnored private var selection: CheckedContinuation<UserKey?, Never>?
    @ObservationIgnored private var decision: CheckedContinuation<Bool, Never>?

    /// Creates the screens.
    ///
    /// - Parameter isShuffled: Whether the pad's digits have a new random order for each question.
    nonisolated public init(isShuffled: Bool = false) {
        pad = PinPadModel(isShuffled: isShuffled)
    }

    isolated deinit { withdrawQuestions() }

    /// The screens for a `DeviceBindingEnvironment`. The environment does not keep this object alive. When it is gone,
    /// every question is answered as cancelled.
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

    /// Reports the key that the user chose, or nil if the user cancelled. A key outside the choice counts as nil.
    public func select(_ key: UserKey?) {
        let offered = keyChoice?.keys ?? []
        keyChoice = nil
        selection.take()?.resume(returning: key.flatMap { offered.contains($0) ? $0 : nil })
    }

    /// Reports whether the user approved the content.
    public func sign(_ isApproved: Bool) {
        approval = nil
        decision.take()?.resume(returning: isApproved)
    }

    /// Answers pending questions as cancelled.
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
        // Another question may have replaced this one.
        if question == questionCount { pinPrompt = nil }
        return box
    }

    private func selectKey(among keys: [UserKey], _ prompt: Prompt) async -> UserKey? {
        let question = nextQuestionAwayFromPad()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                selection = continuation
                keyChoice = KeyChoice(id: question, keys: keys, prompt: prompt)
                // The cancellation handler may have run before the continuation existed.
                if Task.isCancelled { select(nil) }
            }
        } onCancel: {
            Task { @MainActor in self.withdraw(question) }
        }
    }

    private func askToSign(_ content: SigningContent) async -> Bool {
        // The user may be about to approve the current content, so no other content replaces it.
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
    /// The text below the title.
    var reason: String { [subtitle, description].filter { !$0.isEmpty }.joined(separator: "\n") }
}
