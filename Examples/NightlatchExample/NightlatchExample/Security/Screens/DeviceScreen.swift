import NightlatchWire
import SwiftUI

/// One device of the user, to rename or revoke.
struct DeviceScreen: View {
    private let device: DeviceSummary
    private let list: UserDevices
    private let account: Account
    @State private var name: String
    @State private var isRevoking = false
    @Environment(\.dismiss) private var dismiss

    init(_ device: DeviceSummary, in list: UserDevices, of account: Account) {
        self.device = device
        self.list = list
        self.account = account
        _name = State(initialValue: device.name.rawValue)
    }

    var body: some View {
        Form {
            NoticeSection(work: list.work, carryOut: account.carryOut)
            Section {
                TextField("Name", text: $name)
                Button("Rename") { run { await list.rename(device, to: name) } }
                    .disabled(name == device.name.rawValue || list.work.isRunning)
            }
            Section {
                LabeledContent("Status", value: device.statusText)
                LabeledContent("Registered", value: device.boundAt.text)
                LabeledContent("Last login", value: device.lastLoginAt?.text ?? "Never")
            }
            if device.isRevocable { revocation }
        }
        .navigationTitle("Device")
    }

    private var revocation: some View {
        Section {
            Button("Revoke this device", role: .destructive) { isRevoking = true }
                .disabled(list.work.isRunning)
                .confirmationDialog("Revoke this device?", isPresented: $isRevoking, titleVisibility: .visible) {
                    Button("Revoke", role: .destructive) { run { await list.revoke(device) } }
                } message: {
                    Text(
                        device.isCurrent
                            ? "This app can then log in only after you have entered a new code."
                            : "It can never log in again.")
                }
        }
    }

    /// Runs a change, and leaves the screen if the list has another entry for the device.
    private func run(_ change: @escaping @MainActor () async -> Void) {
        Task {
            await change()
            if !list.devices.contains(device) { dismiss() }
        }
    }
}
