import Nightlatch
import NightlatchPlatform
import NightlatchUI
import NightlatchWire
import SwiftUI

struct WelcomeView: View {
    let bank: Bank
    @State private var name = ""
    @State private var code = ""
    @State private var pad = PinPadModel()

    var body: some View {
        Form {
            TextField("Your name", text: $name)
            TextField("Enrolment code", text: $code)
            Button("Register") { Task { await bank.register(name, code: code, on: pad) } }
        }
        .padSheet(pad, of: bank)
    }
}

/// A window of the registered profile. Each window has its own lock, because one may be in front while another is not.
struct LockedView: View {
    let profile: Profile
    let bank: Bank
    @State private var lock: ScreenLock

    init(_ profile: Profile, in bank: Bank) {
        let pad = PinPadModel()
        let service = LocalAuthService(profile: profile.id, in: bank.profiles, prompt: pad)
        (self.profile, self.bank) = (profile, bank)
        _lock = State(initialValue: ScreenLock(service, pad: pad, reason: "Show payments", clock: SystemLockoutClock()))
    }

    var body: some View {
        VStack {
            HomeView(bank: bank, lock: lock, account: Account(profile, in: bank)).lockedBehind(lock)
            if !lock.isOpen, !lock.isAsking, !lock.canAsk {
                Button("Start again with a new code", role: .destructive) { Task { await bank.startAgain() } }
            }
        }
    }
}

/// The view behind the lock. It exists only while the vault is open, and so does its account.
struct HomeView: View {
    let bank: Bank
    let lock: ScreenLock
    @State var account: Account

    var body: some View {
        List {
            ForEach(account.payments) { payment in
                PaymentRow(payment: payment) { decision in Task { await account.decide(payment, decision) } }
            }
            if let vault = lock.vault {
                Button(account.session == nil ? "Log in" : "Refresh") { Task { await account.logIn(vault) } }
                Button("Unlock by face or finger") { Task { await account.turnOnBiometrics(vault) } }
                Button("Change PIN") { Task { await account.changePin(vault) } }
            }
            Button("Lock now") { lock.lockNow() }
        }
        .padSheet(account.pad, of: bank)
        .task { if let vault = lock.vault { await account.logIn(vault) } }
        .onDisappear { account.leave() }
    }
}

/// All details that the device will sign, unchanged.
struct PaymentRow: View {
    let payment: PendingTransaction
    let decide: @MainActor (TransactionDecision) -> Void

    var body: some View {
        VStack(alignment: .leading) {
            LabeledContent("Amount", value: "\(payment.details.amount.rawValue) \(payment.details.currency.rawValue)")
            LabeledContent("To", value: payment.details.payee.rawValue)
            ForEach(payment.details.lines, id: \.self) { LabeledContent($0.label.rawValue, value: $0.value.rawValue) }
            Button("Confirm") { decide(.confirm) }.buttonStyle(.borderedProminent).disabled(!payment.canBeShown)
            Button("Reject", role: .destructive) { decide(.reject) }.buttonStyle(.borderless)
        }
    }
}

extension View {
    /// Shows the pad on a sheet while it has a question or a result.
    func padSheet(_ pad: PinPadModel, of bank: Bank) -> some View {
        sheet(isPresented: .constant(pad.display.title != .idle)) {
            VStack {
                PinPadView(pad)
                if case .ended(.blocked) = pad.display.title {
                    Button("Start again with a new code", role: .destructive) { Task { await bank.startAgain() } }
                }
                Button("Close") { pad.withdraw() }
            }
            .privacyCover()
            .interactiveDismissDisabled()
        }
    }
}
