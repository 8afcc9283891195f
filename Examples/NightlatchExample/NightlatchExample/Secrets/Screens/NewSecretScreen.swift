import SwiftUI

struct NewSecretScreen: View {
    let secrets: SecretList
    let account: Account
    @State private var name = ""
    @State private var text = ""
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        Form {
            NoticeSection(work: secrets.work, carryOut: account.carryOut)
            Section {
                TextField("Name", text: $name)
                    .textInputAutocapitalization(.never)
                    .autocorrectionDisabled()
                SecureField("Secret", text: $text)
            } footer: {
                Text("A secret of the same name is replaced. The name itself is not secret.")
            }
            Button("Seal it") {
                Task { if await secrets.add(text, named: name) { dismiss() } }
            }
            .disabled(name.isEmpty || text.isEmpty || secrets.work.isRunning)
        }
        .navigationTitle("New secret")
    }
}
