import NightlatchWire
import SwiftUI

/// Shows the details that the device signs, line by line.
struct DetailSection: View {
    let lines: [DetailLine]

    var body: some View {
        Section {
            ForEach(lines.indices, id: \.self) { index in
                LabeledContent(lines[index].label, value: lines[index].value)
            }
        }
    }
}

/// The buttons for a decision.
struct DecisionSection: View {
    let canConfirm: Bool
    let isBusy: Bool
    let decide: @MainActor (TransactionDecision) async -> Void

    var body: some View {
        Section {
            Button("Confirm", systemImage: "checkmark") { Task { await decide(.confirm) } }
                .disabled(!canConfirm || isBusy)
            Button("Reject", systemImage: "xmark", role: .destructive) { Task { await decide(.reject) } }
                .disabled(isBusy)
        } footer: {
            Text("You are asked for your face, your finger or your PIN.")
        }
    }
}
