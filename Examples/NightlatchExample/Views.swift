import Foundation
import Nightlatch
import NightlatchUI
import NightlatchWire
import SwiftUI

struct WelcomeView: View {
    let bank: Bank
    @State private var name = ""
    @State private var code = ""
    @State private var isPadShown = false

    var body: some View {
        Form {
            TextField("Your name", text: $name)
            TextField("Enrolment code", text: $code)
            Button("Register") {
                isPadShown = true
                Task { await bank.register(name, code: code) }
            }
            if let problem = bank.problem { Text(verbatim: problem) }
        }
        .padSheet(bank.pad, isPresented: $isPadShown)
    }
}

/// What is locked: it is there only while the vault is open.
struct HomeView: View {
    let bank: Bank
    let lock: ScreenLock
    @State private var isPadShown = false

    var body: some View {
        NavigationStack {
            List {
                ForEach(bank.payments) { payment in
                    PaymentRow(payment: payment) { confirms in
                        isPadShown = true
                        Task { await bank.decide(payment, confirms: confirms) }
                    }
                }
                Button("Change PIN") {
                    isPadShown = true
                    Task { await bank.changePin() }
                }
                Button("Lock now") { lock.lockNow() }
                if let problem = bank.problem { Text(verbatim: problem) }
            }
            .navigationTitle(bank.session == nil ? "Logging in" : "Payments")
        }
        .padSheet(bank.pad, isPresented: $isPadShown)
        .task { if let vault = lock.vault { await bank.logIn(vault) } }
    }
}

/// Everything that will be signed, as it stands.
struct PaymentRow: View {
    let payment: PendingTransaction
    let decide: @MainActor (Bool) -> Void

    var body: some View {
        VStack(alignment: .leading) {
            LabeledContent("Amount", value: "\(payment.details.amount.rawValue) \(payment.details.currency.rawValue)")
            LabeledContent("To", value: payment.details.payee.rawValue)
            ForEach(payment.details.lines, id: \.self) { line in
                LabeledContent(line.label.rawValue, value: line.value.rawValue)
            }
            Button("Confirm") { decide(true) }.buttonStyle(.borderedProminent)
            Button("Reject", role: .destructive) { decide(false) }.buttonStyle(.borderless)
        }
    }
}

extension View {
    /// Shows the pad on a sheet, which goes when the pad has said how it ended and the person has seen it.
    func padSheet(_ pad: PinPadModel, isPresented: Binding<Bool>) -> some View {
        sheet(isPresented: isPresented) {
            pad.press(.cancel)
        } content: {
            VStack {
                PinPadView(pad)
                Button("Close") { isPresented.wrappedValue = false }
            }
            .privacyCover()
        }
    }
}
