import Nightlatch
import NightlatchWire
import SwiftUI

/// The names of the secrets in the vault.
struct SecretsScreen: View {
    let account: Account
    @State private var secrets: SecretList

    init(of account: Account) {
        self.account = account
        _secrets = State(initialValue: SecretList(of: account))
    }

    var body: some View {
        NavigationStack {
            List {
                NoticeSection(work: secrets.work, carryOut: account.carryOut)
                Section {
                    ForEach(secrets.names, id: \.self) { name in
                        NavigationLink {
                            SecretScreen(name: name, secrets: secrets, account: account)
                        } label: {
                            Text(verbatim: name.rawValue)
                        }
                    }
                    NavigationLink {
                        NewSecretScreen(secrets: secrets, account: account)
                    } label: {
                        Label("Add a secret", systemImage: "plus")
                    }
                } footer: {
                    Text("Secrets are sealed in the vault of this device. They never leave it.")
                }
            }
            .navigationTitle("Secrets")
            .task { await secrets.load() }
        }
    }
}
