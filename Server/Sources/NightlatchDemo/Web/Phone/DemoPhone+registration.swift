import Nightlatch
import NightlatchUI
import NightlatchWire

/// Registering, binding and starting over.
extension DemoPhone {
    /// An error of a registration after its PIN was chosen.
    enum RegistrationFailure: Error {
        case noCode(RelyingPartyError)
        case binding(BindingError)
        case vault(VaultError)
    }

    /// Asks for a PIN, creates the vault, and binds the device. After an error, the registration is undone.
    func register() async {
        guard let name = ProfileName(rawValue: "Alice") else { return }
        do {
            let outcome = try await device.profiles.register(name, prompt: pad) {
                [device, backend] (profile, vault) async throws(RegistrationFailure) in
                let text = "The spare key hangs behind the third lantern."
                do throws(VaultError) {
                    try await vault.set(SecretBytes(copying: Array(text.utf8)), named: DemoDevice.noteName)
                } catch {
                    throw .vault(error)
                }
                try await Self.bind(profile, vault, device, backend)
            }
            switch outcome {
            case .cancelled: pad.end(.cancelled)
            case .registered(let profile, let open):
                pad.end(.pinSet)
                self.profile = profile
                (isBound, isBlockedByOperator) = (true, false)
                finish(.setUp)
                await enter(open)
                say("Your PIN is set, and this phone is bound to your account.", .good)
            }
        } catch {
            pad.end(.failed)
            say("This phone was not set up: \(error)", .bad)
        }
    }

    /// Binds the phone with a new code after it was revoked.
    func bindAgain(_ open: OpenVault) async {
        guard let profile else { return }
        do {
            try await Self.bind(profile, open, device, backend)
            (isBound, isBlockedByOperator) = (true, false)
            say("This phone is bound again, with new keys.", .good)
        } catch {
            say("This phone was not bound: \(error)", .bad)
        }
    }

    private static func bind(
        _ profile: Profile,
        _ vault: OpenVault,
        _ device: DemoDevice,
        _ backend: DemoBackend
    ) async throws(RegistrationFailure) {
        let code: EnrolmentCode
        do {
            try await backend.setPassword()
            code = try await backend.enrolmentCode()
        } catch {
            throw .noCode(error)
        }
        do {
            let keys = device.profiles.deviceKeys(of: profile.id)
            _ = try await DeviceBinder(relyingParty: device.relyingParty, keys: keys)
                .bind(vault, code: code, deviceName: "Alice’s phone")
        } catch {
            throw .binding(error)
        }
    }

    /// Removes everything that this phone stores about the user.
    func startOver() async {
        guard let profile else { return }
        do {
            try await device.profiles.deregister(profile.id)
        } catch {
            say("The old profile was not completely removed: \(error)", .bad)
            return
        }
        self.profile = nil
        (session, open, note) = (nil, nil, nil)
        (isBound, usesBiometrics, isPinBlocked) = (false, false, false)
        screen = .welcome
    }
}
