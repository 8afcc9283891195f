import SwiftUI

/// The settings of the PIN, of biometrics, of the recovery phrase and of the user's devices.
struct SecurityScreen: View {
    let account: Account
    @State private var biometrics: Biometrics

    init(of account: Account) {
        self.account = account
        _biometrics = State(initialValue: Biometrics(of: account))
    }

    var body: some View {
        NavigationStack {
            List {
                NoticeSection(work: account.work, carryOut: account.carryOut)
                NoticeSection(work: biometrics.work, carryOut: account.carryOut)
                Section {
                    Button("Change PIN") { Task { await account.changePin() } }.disabled(account.work.isRunning)
                    Toggle("Unlock by face or finger", isOn: isOn)
                        .disabled(biometrics.work.isRunning || !biometrics.isOn && biometrics.obstacle != nil)
                } footer: {
                    if let obstacle = biometrics.obstacle { Text(verbatim: obstacle) }
                }
                Section {
                    NavigationLink {
                        PhraseSetUpScreen(of: account)
                    } label: {
                        Label("Recovery phrase", systemImage: "text.book.closed")
                    }
                    NavigationLink {
                        DevicesScreen(of: account)
                    } label: {
                        Label("Your devices", systemImage: "iphone")
                    }
                }
                Section { Button("Lock now", systemImage: "lock") { account.lockNow() } }
            }
            .navigationTitle("Security")
            .task { await biometrics.load() }
        }
    }

    /// Shows what is set up, and not what the user has touched: a change may fail.
    private var isOn: Binding<Bool> {
        Binding { @MainActor in
            biometrics.isOn
        } set: { @MainActor isWanted in
            Task { await biometrics.turn(on: isWanted) }
        }
    }
}
