import Nightlatch
import NightlatchUI
import NightlatchWire
import Observation

/// The phone of the demonstration: a small app on top of the client library. The page draws its screen.
///
/// It does what every app does: it shows a screen, calls the library and shows the result. The pad is the library's
/// `PinPadModel`; the page draws its display.
@MainActor @Observable
final class DemoPhone {
    enum Screen {
        /// No user is registered.
        case welcome
        case locked
        case home
        case payment(PendingTransaction)
        /// A login in a browser.
        case login(PendingRemoteLogin)
        /// The user enters the number that the login page shows.
        case number(PendingRemoteLogin, typed: String)
        case loginEnded(LoginEnd)
        /// The user proves who they are with the password.
        case signIn(SignInPurpose)
        /// No PIN opens the vault any more.
        case blocked
    }

    /// A message about the previous action.
    struct Message {
        enum Tone: String { case good, bad, calm }
        let text: String
        let tone: Tone
    }

    var screen = Screen.welcome
    var message: Message?
    private(set) var pad = PinPadModel()
    private(set) var isShuffled = false
    /// Whether a call is in progress. Only one runs at a time, since each may show a prompt.
    private(set) var isBusy = false
    var profile: Profile?
    /// Whether the server accepted the phone's keys at the last request.
    var isBound = false
    var usesBiometrics = false
    /// Whether the PIN is blocked; a finger may still open the vault.
    var isPinBlocked = false
    /// The steps of the tour that were done.
    private(set) var doneSteps: Set<GuideStep> = []
    var session: Session?
    /// The app's secret from the vault, while the vault is open.
    var note: String?
    @ObservationIgnored var open: OpenVault?
    @ObservationIgnored let device: DemoDevice
    @ObservationIgnored let backend: DemoBackend
    @ObservationIgnored let camera: DemoCamera
    @ObservationIgnored let `operator`: DemoOperator
    /// Whether the operator has blocked the phone.
    var isBlockedByOperator = false
    /// The operator's action that the phone learns of when the call in progress has ended.
    @ObservationIgnored var newsOfOperator: DemoOperator.Action?
    /// Whether the operator has registered the shop, at which the user can log in.
    var isShopRegistered = false

    var sensor: DemoSensor { device.sensor }

    init(device: DemoDevice, backend: DemoBackend, camera: DemoCamera, operator: DemoOperator) {
        self.device = device
        self.backend = backend
        self.camera = camera
        self.operator = `operator`
    }

    /// Handles an action on the page. Does nothing if the action does not fit the current screen.
    ///
    /// - Parameter text: The text that the user typed, for an action with a text.
    func handle(_ event: PageEvent, text: String? = nil) {
        switch event {
        case .press(let key): pad.press(key)
        case .touch(let answer): sensor.answer(answer)
        case .enrolFinger: sensor.changeEnrolment()
        case .askForPayment: run(always: true) { await $0.askForPayment() }
        case .blockPhone: run(always: true) { await $0.askOperator(to: $0.isBlockedByOperator ? .unblock : .block) }
        case .revokePhone: run(always: true) { await $0.askOperator(to: .revoke) }
        case .registerShop: if !isShopRegistered { run(always: true) { await $0.registerShop() } }
        case .setUp: if case .welcome = screen { run { await $0.register() } }
        case .unlock: if mayUnlock { run { await $0.unlock() } }
        case .startOver: if case .blocked = screen, !isBusy { askToSignIn(for: .settingUpAgain) }
        case .signIn: signIn(with: text ?? "")
        case .confirm: decide(.confirm)
        case .reject: decide(.reject)
        case .later, .done: leave()
        case .typeNumber(let digit): typeNumber(digit)
        case .deleteNumber: deleteNumber()
        case .lock, .logIn, .bindAgain, .showRequests, .scan, .changePin, .replacePin, .switchBiometrics,
            .switchShuffling:
            handleAtHome(event)
        }
    }

    /// Returns from a request or a sign-in to the screen before it. The request still waits.
    private func leave() {
        guard !isBusy else { return }
        message = nil
        switch screen {
        case .payment, .login, .loginEnded: screen = .home
        case .number(let login, _): screen = .login(login)
        case .signIn(.newPin): screen = .home
        case .signIn(.settingUpAgain): screen = .blocked
        case .welcome, .locked, .home, .blocked: break
        }
    }

    /// Whether the vault may be unlocked now. A finger also opens a vault with a blocked PIN.
    private var mayUnlock: Bool {
        switch screen {
        case .locked: true
        case .blocked: usesBiometrics
        case .welcome, .home, .payment, .login, .number, .loginEnded, .signIn: false
        }
    }

    private func handleAtHome(_ event: PageEvent) {
        guard case .home = screen else { return }
        run { phone in
            guard let open = await phone.openVault() else { return }
            switch event {
            case .lock: await phone.lock(nil)
            case .logIn: await phone.logIn(open)
            case .bindAgain: await phone.bindAgain(open)
            case .showRequests: await phone.showNextRequest(open, isAsked: true)
            case .scan: await phone.scan()
            case .changePin: await phone.changePin()
            case .replacePin: if phone.isPinBlocked { phone.askToSignIn(for: .newPin) }
            case .switchBiometrics: await phone.switchBiometrics(open)
            case .switchShuffling: phone.switchShuffling()
            default: break
            }
        }
    }

    /// Runs a call, unless another one is in progress.
    ///
    /// - Parameter always: Whether to run it even if another call is in progress; for calls that show no prompt.
    func run(always: Bool = false, _ call: @escaping @MainActor (DemoPhone) async -> Void) {
        if always {
            Task { await call(self) }
            return
        }
        guard !isBusy else { return }
        isBusy = true
        message = nil
        Task {
            await call(self)
            isBusy = false
            if let news = newsOfOperator.take() { learn(of: news) }
        }
    }

    private func switchShuffling() {
        isShuffled.toggle()
        pad = PinPadModel(isShuffled: isShuffled)
        message = Message(
            text: isShuffled ? "The digits change places each time." : "The digits keep their places.", tone: .calm)
    }

    /// Ticks a step of the tour.
    func finish(_ step: GuideStep) {
        if !doneSteps.contains(step) { doneSteps.insert(step) }
    }

    func say(_ text: String, _ tone: Message.Tone = .calm) {
        message = Message(text: text, tone: tone)
    }

    /// The library's service for the user of this phone.
    func service(of profile: Profile) -> LocalAuthService {
        LocalAuthService(profile: profile.id, in: device.profiles, prompt: pad)
    }
}
