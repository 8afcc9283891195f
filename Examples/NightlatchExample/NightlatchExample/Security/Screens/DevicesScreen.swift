import NightlatchWire
import SwiftUI

/// The user's devices, as the server lists them.
struct DevicesScreen: View {
    let account: Account
    @State private var list: UserDevices

    init(of account: Account) {
        self.account = account
        _list = State(initialValue: UserDevices(of: account))
    }

    var body: some View {
        List {
            NoticeSection(work: list.work, carryOut: account.carryOut)
            Section {
                if list.devices.isEmpty {
                    Text(list.isLoaded ? "No device" : "Not loaded").foregroundStyle(Color.secondary)
                }
                ForEach(list.devices, id: \.id) { device in
                    NavigationLink {
                        DeviceScreen(device, in: list, of: account)
                    } label: {
                        LabeledContent(device.name.rawValue, value: device.statusText)
                    }
                }
            }
            Button("Load again", systemImage: "arrow.clockwise") { Task { await list.load() } }
                .disabled(list.work.isRunning)
        }
        .navigationTitle("Your devices")
        .refreshable { await list.load() }
        .task { if !list.isLoaded { await list.load() } }
    }
}
