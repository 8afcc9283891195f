import Nightlatch
import NightlatchUI
import NightlatchWire
import Observation

/// The phone of the demonstration: a small app over the client library, whose screen the page draws.
///
/// It does what any app does: shows a screen, calls the library, shows what came of it. The pad is the library's `PinPadModel`, of which
/// the page draws the display.
@MainActor @Observable
final class DemoPhone {
    enum Screen {
        /// Nobody is registered.
        case welcome
        case locked
        case home
        case payment(PendingTransaction)
        /// No PIN opens the vault any more.
        case blocked
    }

    /// A word about what was done last.
    struct Message {
        enum Tone: String { case good, bad, calm }
        let text: String
        let tone: Tone
    }

    var screen = Screen.welcome
    var message: Message?
    private(set) var pad = PinPadModel()
    private(set) var isShuffled = false
    /// Whether a call is under way. One is at a time, since each may have a prompt on the screen.
    private(set) var isBusy = false
    var profile: Profile?
    /// Whether the phone has keys that the server takes, for all that it knows.
    var isBound = false
    var usesBiometrics = false
    /// Whether no PIN opens the vault any more, which something else has opened.
    var isPinBlocked = false
    var session: Session?
    /// What the vault holds for the app, while it is open.
    var note: String?
    @ObservationIgnored var open: OpenVault?
    @ObservationIgnored let device: DemoDevice
    @ObservationIgnored let backend: DemoBackend
    @ObservationIgnored private let `operator`: DemoOperator

    var sensor: DemoSensor { device.sensor }

    init(device: DemoDevice, backend: DemoBackend, operator: DemoOperator) {
        self.device = device
        self.backend = backend
        self.operator = `operator`
    }

    /// Something happened on the page. What does not fit what is on the screen does nothing.
    func handle(_ event: PageEvent) {
        switch event {
        case .press(let key): pad.press(key)
        case .touch(let answer): sensor.answer(answer)
        case .enrolFinger: sensor.changeEnrolment()
        case .askForPayment: run(always: true) { await $0.askForPayment() }
        case .revokePhone: run(always: true) { await $0.revokePhone() }
        case .setUp: if case .welcome = screen { run { await $0.register() } }
        case .unlock: if mayUnlock { run { await $0.unlock() } }
        case .startOver: if case .blocked = screen { run { await $0.startOver() } }
        case .confirm: decide(.confirm)
        case .reject: decide(.reject)
        case .later: if case .payment = screen, !isBusy { screen = .home }
        case .lock, .logIn, .bindAgain, .showPayments, .changePin, .replacePin, .switchBiometrics, .switchShuffling:
            handleAtHome(event)
        }
    }

    /// A finger opens what no PIN opens any more.
    private var mayUnlock: Bool {
        switch screen {
        case .locked: true
        case .blocked: usesBiometrics
        case .welcome, .home, .payment: false
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
            case .showPayments: await phone.showNextPayment(open, isAsked: true)
            case .changePin: await phone.changePin()
            case .replacePin: await phone.replacePin(open)
            case .switchBiometrics: await phone.switchBiometrics(open)
            case .switchShuffling: phone.switchShuffling()
            default: break
            }
        }
    }

    private func decide(_ decision: TransactionDecision) {
        guard case .payment(let payment) = screen else { return }
        run { await $0.decide(decision, on: payment) }
    }

    /// Runs a call, unless one is under way.
    ///
    /// - Parameter always: Runs it beside another one: for what asks for nothing on the screen.
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
        }
    }

    private func switchShuffling() {
        isShuffled.toggle()
        pad = PinPadModel(isShuffled: isShuffled)
        message = Message(
            text: isShuffled ? "The digits change places each time." : "The digits keep their places.", tone: .calm)
    }

    /// What an operator does; the phone finds out when it next asks the server for something.
    private func revokePhone() async {
        do {
            try await `operator`.revokePhones()
        } catch {
            say("The operator could not revoke it: \(error)", .bad)
        }
    }

    func say(_ text: String, _ tone: Message.Tone = .calm) {
        message = Message(text: text, tone: tone)
    }

    /// The library's service for the person of this phone.
    func service(of profile: Profile) -> LocalAuthService {
        LocalAuthService(profile: profile.id, in: device.profiles, prompt: pad)
    }
}
