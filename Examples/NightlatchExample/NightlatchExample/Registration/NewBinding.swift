import Nightlatch
import Observation

/// Binds the device again with a new code, and keeps the vault: for a device that was revoked, or that the server no
/// longer knows.
@MainActor @Observable
final class NewBinding {
    let device: DeviceEntry
    let work: Work
    private let account: Account

    init(of account: Account) {
        let work = Work()
        self.account = account
        self.work = work
        device = DeviceEntry(reportingTo: work)
    }

    var isComplete: Bool { device.input != nil }

    /// - Returns: Whether the device is bound.
    func bind() async -> Bool {
        guard let input = device.input else { return false }
        var isBound = false
        await work.run {
            _ = try await account.bank.binder(of: account.profile)
                .bindAgain(account.vault, code: input.code, deviceName: input.name)
            account.endSession()
            isBound = true
        }
        return isBound
    }
}
