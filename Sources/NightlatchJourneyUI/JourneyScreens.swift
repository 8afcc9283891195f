import Nightlatch
public import NightlatchJourney
public import NightlatchUI
public import Observation

/// The screens that a journey shows where the app brings none: the pad for an application PIN, and the list of keys to sign with.
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
    /// The pad that a PIN is typed at.
    public let pad: PinPadModel

    /// Keys of which a person is to choose one.
    public struct KeyChoice: Hashable, Sendable, Identifiable {
        public let id: Int
        public let keys: [UserKey]
        public let prompt: Prompt
    }

    @ObservationIgnored private var questionCount = 0
    @ObservationIgnored private var selection: CheckedContinuation<UserKey?, Never>?

    /// - Parameter isShuffled: Whether the digits stand in another order each time.
    nonisolated public init(isShuffled: Bool = false) {
        pad = PinPadModel(isShuffled: isShuffled)
    }

    isolated deinit { select(nil) }

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
            selectKey: { [weak self] keys, prompt in await self?.selectKey(among: keys, prompt) })
    }

    /// The person has chosen a key, or has cancelled: nil. One that is not offered is as good as none.
    public func select(_ key: UserKey?) {
        let offered = keyChoice?.keys ?? []
        keyChoice = nil
        selection.take()?.resume(returning: key.flatMap { offered.contains($0) ? $0 : nil })
    }

    private func askForPin(
        _ prompt: Prompt,
        at ask: @MainActor (PinPadModel) async -> PinBox?
    ) async -> PinBox? {
        select(nil)
        let question = nextQuestion()
        pinPrompt = prompt
        let box = await ask(pad)
        // Somebody else may have asked meanwhile.
        if question == questionCount { pinPrompt = nil }
        return box
    }

    private func selectKey(among keys: [UserKey], _ prompt: Prompt) async -> UserKey? {
        pad.withdraw()
        pinPrompt = nil
        select(nil)
        let question = nextQuestion()
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

    private func withdraw(_ question: Int) {
        if keyChoice?.id == question { select(nil) }
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
