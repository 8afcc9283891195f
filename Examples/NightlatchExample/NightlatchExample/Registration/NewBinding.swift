import Nightlatch
import NightlatchWire
import Observation

/// Binds the device again with a new code, and keeps the vault: for a device that was revoked, or that the server no
/// longer knows.
@MainActor @Observable
final class NewBinding {
    var deviceName = "My phone"
    var code = ""
    let work = Work()
    private let account: Account

    init(of account: Account) { self.account = account }

    var isComplete: Bool { EnrolmentCode(code) != nil && DeviceName(rawValue: deviceName) != nil }

    /// Takes the text of a QR code.
    func take(scanned text: String) {
        guard let code = EnrolmentCode(text) else { return work.notice = .noEnrolmentCode }
        self.code = code.groupedText
    }

    /// - Returns: Whether the device is bound.
    func bind() async -> Bool {
        guard let code = EnrolmentCode(code), let name = DeviceName(rawValue: deviceName) else { return false }
        var isBound = false
        await work.run {
            _ = try await account.bank.binder(of: account.profile)
                .bindAgain(account.vault, code: code, deviceName: name)
            account.endSession()
            isBound = true
        }
        return isBound
    }
}
