import NightlatchUI

/// The tour for the page to draw: all steps, and the next one with its button.
struct GuideView: Encodable, Hashable, Sendable {
    struct Step: Encodable, Hashable, Sendable {
        let title: String
        let isDone: Bool
    }

    let steps: [Step]
    /// The title and the text of the next step.
    let title: String
    let text: String
    /// The button that leads on in the phone's state; nil if all steps are done, or if the page shows a link.
    let action: PhoneView.Action?
    /// Whether the page shows the link to the shop instead of a button.
    let opensShop: Bool

    @MainActor
    init(_ phone: DemoPhone) {
        steps = GuideStep.allCases.map { Step(title: $0.title, isDone: phone.doneSteps.contains($0)) }
        let next = GuideStep.allCases.first { !phone.doneSteps.contains($0) }
        title = next.map { "Next: \($0.title)" } ?? "You have tried everything"
        text = next?.text ?? "The log shows what the server has seen."
        opensShop = next == .logInAtShop && phone.isShopRegistered && phone.session != nil
        action = opensShop ? nil : next.map { $0.action(for: phone) }
    }
}

extension GuideStep {
    /// The action that leads on to this step's end. It is not enabled while the phone is at something else.
    @MainActor
    fileprivate func action(for phone: DemoPhone) -> PhoneView.Action {
        switch self {
        case .setUp: phone.wayIn()
        case .logIn: phone.wayHome() ?? .init(.logIn, "Log in", .primary, isEnabled: phone.isIdleAtHome)
        case .decide: .init(.askForPayment, "Ask for a payment", .primary, isEnabled: phone.profile != nil)
        case .logInAtShop:
            if phone.isShopRegistered {
                phone.wayHome() ?? .init(.logIn, "Log in", .primary, isEnabled: phone.isIdleAtHome)
            } else {
                .init(.registerShop, "Register the shop", .primary)
            }
        case .mistype: phone.wayOut()
        case .useFinger:
            phone.usesBiometrics ? phone.wayThroughLock(touching: .recognised) : phone.turningFingerOn()
        case .replacePin:
            phone.usesBiometrics
                ? phone.wayThroughLock(touching: phone.isPinBlocked ? .recognised : .pinChosen)
                : phone.turningFingerOn()
        case .revoke: .init(.revokePhone, "Revoke this phone", .primary, isEnabled: phone.isBound)
        }
    }
}

extension DemoPhone {
    fileprivate var isIdleAtHome: Bool {
        guard case .home = screen else { return false }
        return !isBusy
    }

    /// Setting up a new phone.
    fileprivate func wayIn() -> PhoneView.Action {
        guard case .welcome = screen else { return .init(.setUp, "Set up this phone", .primary, isEnabled: false) }
        return .init(.setUp, "Set up this phone", .primary, isEnabled: !isBusy)
    }

    /// Unlocking a locked phone; nil if it is not locked.
    fileprivate func wayHome() -> PhoneView.Action? {
        guard case .locked = screen else { return nil }
        return .init(.unlock, "Unlock", .primary, isEnabled: !isBusy)
    }

    /// Locking an open phone, then unlocking it.
    fileprivate func wayOut() -> PhoneView.Action {
        wayHome() ?? .init(.lock, "Lock", .primary, isEnabled: isIdleAtHome)
    }

    fileprivate func turningFingerOn() -> PhoneView.Action {
        wayHome() ?? .init(.switchBiometrics, "Turn finger on", .primary, isEnabled: isIdleAtHome)
    }

    /// Locking the phone, and answering its sensor; after the PIN was blocked, choosing a new one.
    fileprivate func wayThroughLock(touching answer: DemoSensor.Answer) -> PhoneView.Action {
        if sensor.reason != nil {
            return .init(.touch(answer), answer == .pinChosen ? "Use the PIN" : "Alice’s finger", .primary)
        }
        if case .blocked = screen { return .init(.unlock, "Open it", .primary, isEnabled: !isBusy) }
        if isPinBlocked { return .init(.replacePin, "Choose a new PIN", .primary, isEnabled: isIdleAtHome) }
        return wayOut()
    }
}
