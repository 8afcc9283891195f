import Nightlatch
import NightlatchUI
import NightlatchWire
import Observation

/// Registers the user of this device: name, enrolment code, new PIN, binding.
@MainActor @Observable
final class Registration {
    var name = ""
    let device: DeviceEntry
    let pad = PinPadModel()
    let work: Work
    private let bank: Bank

    init(in bank: Bank) {
        let work = Work()
        self.bank = bank
        self.work = work
        device = DeviceEntry(reportingTo: work)
    }

    var isComplete: Bool { ProfileName(rawValue: name) != nil && device.input != nil }

    /// Asks for a new PIN, creates the vault and binds the device. After an error or a cancel, nothing is left.
    func register() async {
        guard let name = ProfileName(rawValue: name), let input = device.input else { return }
        await work.run(asking: pad) {
            let outcome = try await bank.profiles.register(name, prompt: pad) { profile, vault in
                _ = try await bank.binder(of: profile).bind(vault, code: input.code, deviceName: input.name)
            }
            guard case .registered(let profile, let vault) = outcome else { return }
            // The screen of the profile unlocks the vault itself.
            await vault.lock()
            device.code = ""
            bank.show(profile)
        }
    }
}
