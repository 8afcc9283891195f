import Nightlatch
import Observation

/// Whether a face or a finger unlocks the vault.
@MainActor @Observable
final class Biometrics {
    private(set) var isOn = false
    /// Nil until it is known.
    private(set) var availability: BiometricAvailability?
    let work = Work()
    private let account: Account

    init(of account: Account) { self.account = account }

    func load() async {
        await work.run { try await reload() }
    }

    private func reload() async throws {
        let service = account.service()
        availability = try await service.biometricAvailability()
        isOn = try await service.authenticators().contains(.biometrics)
    }

    /// Turns biometrics on or off. If they opened the vault, turning them off locks the screen.
    func turn(on isWanted: Bool) async {
        await work.run {
            if isWanted {
                try await account.service().setUp(.biometrics, in: account.vault)
            } else {
                try await account.service().remove(.biometrics, from: account.vault)
            }
            try await reload()
        }
    }

    /// The reason why biometrics cannot be turned on now. Nil if they can.
    var obstacle: String? {
        switch availability {
        case nil, .available: nil
        case .noHardware: "This device has no sensor for faces or fingers."
        case .notEnrolled: "No face or finger is enrolled on this device. Enrol one in Settings."
        case .permissionDenied: "This app may not use Face ID. Allow it in Settings."
        case .lockedOut: "After too many attempts the system asks for the device's passcode first."
        case .noPasscode: "This device has no passcode. Set one in Settings."
        case .notNow: "The system cannot ask now. Try again later."
        }
    }
}
