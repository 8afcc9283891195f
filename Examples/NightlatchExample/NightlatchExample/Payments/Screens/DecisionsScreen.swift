import Nightlatch
import NightlatchUI
import NightlatchWire
import SwiftUI

/// The payments and the logins in a browser that wait for the user's decision.
struct DecisionsScreen: View {
    let account: Account
    @State private var decisions: Decisions
    @State private var isScanning = false

    init(of account: Account) {
        self.account = account
        _decisions = State(initialValue: Decisions(of: account))
    }

    var body: some View {
        NavigationStack {
            List {
                NoticeSection(work: account.work, carryOut: account.carryOut)
                NoticeSection(work: decisions.work, carryOut: account.carryOut)
                if decisions.isFlooded {
                    Label(
                        "Many logins wait. Reject every login that you did not begin.",
                        systemImage: "exclamationmark.shield")
                }
                payments
                logins
                Section {
                    Button("Load again", systemImage: "arrow.clockwise") { Task { await decisions.load() } }
                        .disabled(decisions.work.isRunning)
                    Button("Scan the code of a login page", systemImage: "qrcode.viewfinder") { isScanning = true }
                        .disabled(decisions.work.isRunning)
                        .sheet(isPresented: $isScanning) {
                            ScannerScreen { text in Task { await decisions.claim(scanned: text) } }.privacyCover()
                        }
                }
            }
            .navigationTitle("Payments")
            .announcesPayments(decisions.payments)
            .refreshable { await decisions.load() }
            .task { if !decisions.isLoaded { await decisions.load() } }
        }
    }

    private var payments: some View {
        Section {
            if decisions.payments.isEmpty {
                Text(decisions.isLoaded ? "No payment waits for you." : "Not loaded").foregroundStyle(Color.secondary)
            }
            ForEach(decisions.payments) { payment in
                NavigationLink {
                    PaymentScreen(payment: payment, decisions: decisions, account: account)
                } label: {
                    LabeledContent(payment.details.payee.rawValue, value: payment.amount)
                }
            }
        } header: {
            Text("To confirm")
        }
    }

    @ViewBuilder
    private var logins: some View {
        if !decisions.logins.isEmpty {
            Section {
                ForEach(decisions.logins) { login in
                    NavigationLink {
                        LoginScreen(login: login, decisions: decisions, account: account)
                    } label: {
                        LabeledContent(login.details.app.rawValue, value: login.details.requestedAt.text)
                    }
                }
            } header: {
                Text("Logins elsewhere")
            }
        }
    }
}
