import SwiftUI

/// Binds this device again with a new code. The vault stays.
struct NewBindingScreen: View {
    @State private var binding: NewBinding
    @Environment(\.dismiss) private var dismiss

    init(of account: Account) {
        _binding = State(initialValue: NewBinding(of: account))
    }

    var body: some View {
        NavigationStack {
            Form {
                NoticeSection(work: binding.work)
                DeviceSections(device: binding.device)
                Button("Register this device again") {
                    Task { if await binding.bind() { dismiss() } }
                }
                .disabled(!binding.isComplete || binding.work.isRunning)
            }
            .navigationTitle("New code")
            .toolbar {
                ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
            }
        }
    }
}
