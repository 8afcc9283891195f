import Nightlatch
import NightlatchUI
import NightlatchWire

extension PhoneView {
    /// Creates the view of `phone` in its current state.
    @MainActor
    init(_ phone: DemoPhone) {
        let isBusy = phone.isBusy
        let reason = phone.sensor.reason
        app = App(phone)
        pad = PadView(phone.pad.display, feedback: phone.pad.feedback, isWanted: isBusy)
        sensor = reason.map { reason in
            Sensor(
                reason: reason,
                actions: [Action(.touch(.pinChosen), "Use the PIN"), Action(.touch(.cancelled), "Cancel")])
        }
        isOpen = phone.note != nil
        self.isBusy = isBusy
        fingers = [
            Action(.touch(.recognised), "Alice’s finger", isEnabled: reason != nil),
            Action(.touch(.stranger), "Another person’s finger", isEnabled: reason != nil),
            Action(.enrolFinger, "Enrol another finger", isEnabled: phone.sensor.hasKeys),
        ]
        backend = [Action(.askForPayment, "Ask for a payment", isEnabled: phone.profile != nil)]
        `operator` = [
            Action(.registerShop, "Register the shop", isEnabled: !phone.isShopRegistered),
            Action(
                .blockPhone, phone.isBlockedByOperator ? "Unblock this phone" : "Block this phone",
                isEnabled: phone.isBound),
            Action(.revokePhone, "Revoke this phone", isEnabled: phone.isBound),
        ]
        isShopOpen = phone.isShopRegistered
        guide = GuideView(phone)
    }
}

extension PhoneView.App {
    @MainActor
    init(_ phone: DemoPhone) {
        switch phone.screen {
        case .welcome:
            name = "welcome"
            title = "Welcome to Harbour"
            text = "Choose a PIN. This phone is then bound to your account, and its data is sealed."
            actions = [.init(.setUp, "Set up this phone", .primary, isEnabled: !phone.isBusy)]
        case .locked:
            name = "locked"
            title = "Locked"
            text = phone.usesBiometrics ? "Your PIN or your finger opens it." : "Your PIN opens it."
            actions = [.init(.unlock, "Unlock", .primary, isEnabled: !phone.isBusy)]
        case .home: self = .home(phone)
        case .payment(let payment): self = .payment(payment, isBusy: phone.isBusy)
        case .login(let login): self = .login(login, isBusy: phone.isBusy)
        case .number(let login, let typed): self = .number(typed, for: login, isBusy: phone.isBusy)
        case .loginEnded(let end): self = .end(end)
        case .signIn(let purpose): self = .signIn(purpose, isBusy: phone.isBusy)
        case .blocked:
            name = "blocked"
            title = "Blocked"
            text =
                phone.usesBiometrics
                ? "The PIN is blocked, but your finger opens the vault. Then sign in at Harbour, and choose a new PIN."
                : "The PIN is blocked. Sign in at Harbour, and set the phone up again."
            actions = phone.usesBiometrics ? [.init(.unlock, "Open it", .primary, isEnabled: !phone.isBusy)] : []
            actions += [
                .init(
                    .startOver, "Sign in and set up again", phone.usesBiometrics ? .plain : .primary,
                    isEnabled: !phone.isBusy)
            ]
        }
        message = phone.message.map { .init(text: $0.text, tone: $0.tone.rawValue) }
    }

    @MainActor
    private static func home(_ phone: DemoPhone) -> Self {
        let mayPress = !phone.isBusy
        var app = Self(name: "home", title: "Hello, \(phone.profile?.name.rawValue ?? "")")
        app.facts = [
            .init(label: "Note in the vault", value: phone.note ?? "cannot be read"),
            .init(label: "Session", value: phone.sessionInWords),
        ]
        app.actions = [
            phone.mainAction,
            .init(
                .switchBiometrics, phone.usesBiometrics ? "Turn finger off" : "Turn finger on", isEnabled: mayPress),
            .init(.switchShuffling, phone.isShuffled ? "Order digits" : "Shuffle digits", isEnabled: mayPress),
            phone.isPinBlocked
                ? .init(.replacePin, "Choose a new PIN", isEnabled: mayPress)
                : .init(.changePin, "Change PIN", isEnabled: mayPress),
            .init(.lock, "Lock", isEnabled: mayPress),
        ]
        if phone.session != nil {
            app.actions.insert(.init(.scan, "Scan a code", isEnabled: mayPress), at: 1)
        }
        return app
    }

    private static func signIn(_ purpose: DemoPhone.SignInPurpose, isBusy: Bool) -> Self {
        var app = Self(name: "sign-in", title: "Sign in at Harbour")
        app.text =
            switch purpose {
            case .newPin: "Then choose a new PIN. The server checks your password."
            case .settingUpAgain: "Then set this phone up again. The server checks your password."
            }
        app.asksForPassword = true
        app.actions = [
            .init(.signIn, "Sign in", .primary, isEnabled: !isBusy), .init(.later, "Back", isEnabled: !isBusy),
        ]
        return app
    }

    private static func payment(_ payment: PendingTransaction, isBusy: Bool) -> Self {
        let details = payment.details
        var app = Self(name: "payment", title: "\(details.amount) \(details.currency)")
        app.text =
            payment.canBeShown
            ? "Confirm this payment?" : "This payment has a text that cannot be shown. It can only be rejected."
        app.facts =
            [.init(label: "To", value: details.payee.rawValue)]
            + details.lines.map { .init(label: $0.label.rawValue, value: $0.value.rawValue) }
        app.actions = [
            .init(.confirm, "Confirm", .primary, isEnabled: !isBusy && payment.canBeShown),
            .init(.reject, "Reject", .grave, isEnabled: !isBusy), .init(.later, "Later", isEnabled: !isBusy),
        ]
        return app
    }
}

extension DemoPhone {
    fileprivate var sessionInWords: String {
        if session != nil { return "logged in as \(backend.user)" }
        return isBound ? "not logged in" : "this phone is not bound"
    }

    fileprivate var mainAction: PhoneView.Action {
        if !isBound { return .init(.bindAgain, "Bind this phone again", .primary, isEnabled: !isBusy) }
        return session == nil
            ? .init(.logIn, "Log in", .primary, isEnabled: !isBusy)
            : .init(.showRequests, "Payments and logins", .primary, isEnabled: !isBusy)
    }
}
