import Nightlatch
import NightlatchWire
import SwiftUI

/// One secret. Its text is shown on request, until the screen goes.
struct SecretScreen: View {
    let name: SecretName
    let secrets: SecretList
    let account: Account
    @State private var isDeleting = false
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        List {
            NoticeSection(work: secrets.work, carryOut: account.carryOut)
            Section {
                if let revealed = secrets.revealed, revealed.name == name {
                    Text(verbatim: revealed.text)
                        .font(.system(.body, design: .monospaced))
                        .privacySensitive()
                    Button("Hide") { secrets.hide() }
                } else {
                    Button("Reveal") { Task { await secrets.reveal(name) } }.disabled(secrets.work.isRunning)
                }
            }
            Section {
                Button("Delete", role: .destructive) { isDeleting = true }
                    .disabled(secrets.work.isRunning)
                    .confirmationDialog("Delete this secret?", isPresented: $isDeleting, titleVisibility: .visible) {
                        Button("Delete", role: .destructive) { delete() }
                    } message: {
                        Text("This cannot be undone.")
                    }
            }
        }
        .navigationTitle(name.rawValue)
        .onDisappear { secrets.hide() }
    }

    private func delete() {
        Task {
            await secrets.delete(name)
            if !secrets.names.contains(name) { dismiss() }
        }
    }
}
