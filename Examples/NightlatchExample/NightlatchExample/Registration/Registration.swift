import Nightlatch
import NightlatchUI
import NightlatchWire
import Observation

/// Registers the user of this device: name, enrolment code, new PIN, binding.
@MainActor @Observable
final class Registration {
    var name = ""
    var deviceName = "My phone"
    var code = ""
    let pad = PinPadModel()
    let work = Work()
    private let bank: Bank

    init(in bank: Bank) { self.bank = bank }

    var isComplete: Bool { input != nil }

    private var input: (name: ProfileName, device: DeviceName, code: EnrolmentCode)? {
        guard let name = ProfileName(rawValue: name), let device = DeviceName(rawValue: deviceName),
            let code = EnrolmentCode(code)
        else { return nil }
        return (name, device, code)
    }

    /// Takes the text of a QR code.
    func take(scanned text: String) {
        guard let code = EnrolmentCode(text) else { return work.notice = .noEnrolmentCode }
        self.code = code.groupedText
    }

    /// Asks for a new PIN, creates the vault and binds the device. After an error or a cancel, nothing is left.
    func register() async {
        guard let input else { return }
        await work.run(asking: pad) {
            let outcome = try await bank.profiles.register(input.name, prompt: pad) { profile, vault in
                _ = try await bank.binder(of: profile).bind(vault, code: input.code, deviceName: input.device)
            }
            guard case .registered(let profile, let vault) = outcome else { return }
            // The screen of the profile unlocks the vault itself.
            await vault.lock()
            code = ""
            bank.show(profile)
        }
    }
}

extension Notice {
    static var noEnrolmentCode: Notice {
        Notice("This is not an enrolment code. Scan the code that your bank has given you.")
    }
}
