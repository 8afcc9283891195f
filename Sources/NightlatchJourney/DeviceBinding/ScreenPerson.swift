internal import Nightlatch
internal import NightlatchWire

/// Asks the user through the app's screens.
struct ScreenPerson: UserKeyPerson {
    /// The server's texts.
    let prompt: Prompt
    /// The texts for the PIN.
    let pinPrompt: Prompt
    let pinTries: Int
    let collector: (any PinCollector)?
    let selector: (any UserKeySelector)?
    let userInterface: BindingUserInterface
    let deadline: UserKeyDeadline
    /// The content to sign with a bound key. Nil during a binding.
    var toSign: (challenge: String, claims: CustomClaims)?

    var canTypePin: Bool { collector != nil || userInterface.enterPin != nil || userInterface.collectPin != nil }
    var canSelectKey: Bool { selector != nil || userInterface.selectKey != nil }

    var reason: String {
        // The system refuses an empty reason.
        [prompt.description, prompt.title, prompt.subtitle].first { !$0.isEmpty } ?? "Authentication required"
    }

    func choosePin(under policy: PinPolicy, after lastTry: ChosenPinFault?) async -> SecretBytes? {
        let prompt = prompt(pinPrompt, because: lastTry.map { $0.message })
        guard collector == nil, let choose = userInterface.choosePin else { return await typed(at: prompt) }
        return await typed { await choose(policy, prompt) }
    }

    func enterPin(after lastTry: EnteredPinFault?) async -> SecretBytes? {
        if collector == nil, case .wrong(let triesLeft) = lastTry, let enter = userInterface.enterPinAgain {
            return await typed { [pinPrompt] in await enter(pinPrompt, triesLeft) }
        }
        return await typed(at: prompt(pinPrompt, because: lastTry.map { $0.message }))
    }

    func approves(signatureBy entry: UserKeyEntry) async -> Bool {
        guard let approve = userInterface.approveSigning, let toSign,
            let content = SigningContent(toSign.challenge, toSign.claims, prompt: prompt, key: entry)
        else { return true }
        return await deadline.first { await approve(content) } ?? false
    }

    func selectKey(among keys: [UserKeyEntry]) async -> KeyTag? {
        let userKeys = keys.map(UserKey.init)
        let selected: UserKey??
        if let selector {
            let call = SelectorCall(selector: selector)
            selected = await deadline.first { [prompt] in await call.select(userKeys, prompt) }
        } else if let select = userInterface.selectKey {
            selected = await deadline.first { [prompt] in await select(userKeys, prompt) }
        } else {
            selected = nil
        }
        guard let chosen = selected ?? nil else { return nil }
        return keys.first { $0.keyID == chosen.kid }?.tag
    }

    private func typed(at prompt: Prompt) async -> SecretBytes? {
        let answer: String??
        if let collector {
            let (answers, continuation) = AsyncStream<String?>.makeStream()
            collector.collectPin(prompt: prompt) { typed in
                continuation.yield(typed)
                continuation.finish()
            }
            answer = await deadline.first(of: answers, endedBy: continuation)
        } else if let enter = userInterface.enterPin {
            return await typed { await enter(prompt) }
        } else if let collect = userInterface.collectPin {
            answer = await deadline.first { await collect(prompt) }
        } else {
            answer = nil
        }
        guard let typed = answer ?? nil else { return nil }
        return SecretBytes(digitsOf: typed)
    }

    /// Asks for a PIN on a pad.
    private func typed(at pad: @escaping @Sendable () async -> PinBox?) async -> SecretBytes? {
        let box: PinBox?? = await deadline.first { await pad() }
        return (box ?? nil)?.take()?.digits.copy()
    }

    private func prompt(_ prompt: Prompt, because reason: String?) -> Prompt {
        var prompt = prompt
        if let reason { prompt.description = reason }
        return prompt
    }
}

// Safe to send: one task makes the call, and no other code uses the selector until that task ends. A selector's method
// may run on any thread, like every asynchronous method without an actor.
private struct SelectorCall: @unchecked Sendable {
    let selector: any UserKeySelector

    func select(_ keys: [UserKey], _ prompt: Prompt) async -> UserKey? {
        await selector.selectKey(userKeys: keys, prompt: prompt)
    }
}

extension EnteredPinFault {
    /// The message for the user before the next attempt.
    fileprivate var message: String {
        switch self {
        case .format: "A PIN has 4 to 12 digits."
        case .wrong(let triesLeft):
            triesLeft == 1 ? "Wrong PIN. 1 attempt left." : "Wrong PIN. \(triesLeft) attempts left."
        }
    }
}

extension ChosenPinFault {
    /// The message for the user before the next attempt.
    fileprivate var message: String {
        switch self {
        case .format: "A PIN has 4 to 12 digits."
        case .objections(let objections):
            switch objections.first {
            case .length(let lengths):
                lengths.count == 1
                    ? "The PIN must have \(lengths.lowerBound) digits."
                    : "The PIN must have \(lengths.lowerBound) to \(lengths.upperBound) digits."
            case .fewDifferentDigits(let least): "The PIN must have at least \(least) different digits."
            case .ofApp(let reason): reason
            case .common, .sameAsCurrent, nil: "This PIN is too easy to guess. Choose another."
            }
        }
    }
}
