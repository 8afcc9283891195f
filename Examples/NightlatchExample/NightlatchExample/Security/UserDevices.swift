import Nightlatch
import NightlatchWire
import Observation

/// The devices of the user, as the server lists them.
@MainActor @Observable
final class UserDevices {
    private(set) var devices: [DeviceSummary] = []
    private(set) var isLoaded = false
    let work = Work()
    private let account: Account

    init(of account: Account) { self.account = account }

    func load() async {
        await work.run { try await reload() }
    }

    private func reload() async throws {
        devices = try await account.session().devices().devices
        isLoaded = true
    }

    func rename(_ device: DeviceSummary, to name: String) async {
        await work.run {
            guard let name = DeviceName(rawValue: name) else {
                work.notice = Notice("A device's name has 1 to 64 visible characters.")
                return
            }
            _ = try await account.session().rename(device.id, to: name)
            try await reload()
        }
    }

    /// Revokes a device for good. This device can then be bound again with a new code.
    func revoke(_ device: DeviceSummary) async {
        await work.run {
            _ = try await account.session().revoke(device.id)
            if device.isCurrent { account.endSession() }
            try await reload()
        }
    }
}

extension DeviceSummary {
    /// Whether the device can still be revoked.
    var isRevocable: Bool { status != .revoked && status != .replaced }

    /// The status for the user. A status that this app does not know is shown as the server names it.
    var statusText: String {
        switch status {
        case .active: isCurrent ? "This device" : "Active"
        case .blocked: "Blocked"
        case .revoked: "Revoked"
        case .replaced: "Replaced by a newer device"
        default: status.rawValue
        }
    }
}
