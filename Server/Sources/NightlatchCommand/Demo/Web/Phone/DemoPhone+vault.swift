import Nightlatch
import NightlatchUI
import NightlatchWire

/// Setting up, unlocking and what an open vault is good for.
extension DemoPhone {
    /// What ends a registration that had its PIN.
    enum RegistrationFailure: Error {
        case noCode(RelyingPartyError)
        case binding(BindingError)
        case vault(OpenVaultError)
        case noKeys
    }

    /// Asks for a PIN, makes the vault, binds the device: all of it, or nothing is left.
    func register() async {
        guard let name = ProfileName(rawValue: "Alice") else { return }
        do {
            let outcome = try await device.profiles.register(name, prompt: pad) {
                [device, backend] (profile, vault) async throws(RegistrationFailure) in
                let text = "The spare key hangs behind the third lantern."
                do throws(OpenVaultError) {
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
                isBound = true
                await enter(open)
                say("Your PIN is set, and this phone is bound to your account.", .good)
            }
        } catch {
            pad.end(.failed)
            say("This phone was not set up: \(error)", .bad)
        }
    }

    /// Binds the phone with a new code, after it was revoked.
    func bindAgain(_ open: OpenVault) async {
        guard let profile else { return }
        do {
            try await Self.bind(profile, open, device, backend)
            isBound = true
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
        guard let keys = device.profiles.deviceKeys(of: profile.id),
            let deviceName = DeviceName(rawValue: "Alice’s phone")
        else { throw .noKeys }
        let code: EnrolmentCode
        do {
            code = try await backend.enrolmentCode()
        } catch {
            throw .noCode(error)
        }
        do {
            _ = try await DeviceBinder(relyingParty: device.relyingParty, keys: keys).bind(
                vault, code: code, deviceName: deviceName)
        } catch {
            throw .binding(error)
        }
    }

    func unlock() async {
        guard let profile else { return }
        do {
            let result = try await service(of: profile).unlock(reason: "Open Harbour")
            switch result.outcome {
            case .unlocked(let open, let authenticator):
                pad.end(.unlocked)
                isPinBlocked = result.events.contains(.pinBlocked(.newCredentials))
                await enter(open)
                if result.hasEnrolmentChanged {
                    await forgetBiometrics(open)
                } else if isPinBlocked {
                    say("Your finger opened it. The PIN stays blocked until you prove who you are.")
                } else {
                    say(authenticator == .pin ? "Unlocked with the PIN." : "Unlocked with your finger.", .good)
                }
            case .cancelled: pad.end(.cancelled)
            case .waiting(let wait, _): say("Wait \(wait.inWords).", .bad)
            case .blocked(let unblocking):
                // Other fingers are nobody's way back in.
                if result.hasEnrolmentChanged { usesBiometrics = false }
                block(unblocking)
            case .erased:
                pad.end(.erased)
                await startOver()
            }
        } catch {
            pad.end(.failed)
            say("It could not be unlocked: \(error)", .bad)
        }
    }

    /// After another finger was enrolled: what was set up before opens nothing any more.
    private func forgetBiometrics(_ open: OpenVault) async {
        guard let profile else { return }
        do {
            try await service(of: profile).remove(.biometrics, from: open)
            usesBiometrics = false
            say(
                "The fingers of this phone have changed, so they open it no more. Turn them on again if they are yours."
            )
        } catch {
            say("The finger could not be turned off: \(error)", .bad)
        }
    }

    func changePin() async {
        guard let profile else { return }
        do {
            switch try await service(of: profile).changePin().outcome {
            case .changed(let open):
                pad.end(.pinSet)
                await enter(open)
                say("Your PIN is changed, and everything is sealed anew under it.", .good)
            case .cancelled: pad.end(.cancelled)
            case .waiting(let wait, _): say("Wait \(wait.inWords).", .bad)
            case .blocked(let unblocking): block(unblocking)
            case .erased: await startOver()
            }
        } catch {
            pad.end(.failed)
            say("The PIN is as it was: \(error)", .bad)
        }
    }

    /// Sets a new PIN in the place of one that is blocked, once the app's backend has said that the person has signed in anew.
    func replacePin(_ open: OpenVault) async {
        guard let profile, isPinBlocked else { return }
        do {
            // Whoever gets a code from the backend has signed in there: for that a real one asks for a password, or more.
            _ = try await backend.enrolmentCode()
        } catch {
            say("The backend got no answer: \(CommandFailure(error).message)", .bad)
            return
        }
        do {
            switch try await service(of: profile).setPin(in: open, after: .checkedByApp()).outcome {
            case .changed(let open):
                pad.end(.pinSet)
                isPinBlocked = false
                await enter(open)
                say("You have signed in at Harbour anew, and your new PIN opens the vault.", .good)
            case .cancelled, .waiting, .blocked, .erased:
                pad.end(.cancelled)
                say("There is no new PIN yet. Your finger opens it still.")
            }
        } catch {
            pad.end(.failed)
            say("There is no new PIN: \(error)", .bad)
        }
    }

    func switchBiometrics(_ open: OpenVault) async {
        guard let profile else { return }
        do {
            if usesBiometrics {
                try await service(of: profile).remove(.biometrics, from: open)
            } else {
                try await service(of: profile).setUp(.biometrics, in: open)
            }
            usesBiometrics.toggle()
            say(usesBiometrics ? "From now on your finger opens it too." : "From now on only the PIN opens it.", .good)
        } catch {
            say("Nothing was changed: \(error)", .bad)
        }
    }

    /// Removes what there is of the person on this phone.
    func startOver() async {
        guard let profile else { return }
        do {
            try await device.profiles.deregister(profile.id)
        } catch {
            say("Something of the old profile is left: \(error)", .bad)
            return
        }
        self.profile = nil
        (session, open, note) = (nil, nil, nil)
        (isBound, usesBiometrics, isPinBlocked) = (false, false, false)
        screen = .welcome
    }

    // MARK: In and out

    func block(_ unblocking: Unblocking) {
        pad.end(.blocked(unblocking))
        (session, open, note) = (nil, nil, nil)
        isPinBlocked = true
        screen = .blocked
    }

    private func enter(_ open: OpenVault) async {
        self.open = open
        do {
            if let secret = try await open.secret(named: DemoDevice.noteName) {
                note = unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
            }
            if let id = profile?.id { profile = try await device.profiles.profile(id) }
        } catch {
            note = nil
        }
        screen = .home
    }

    func lock(_ text: String?) async {
        await open?.lock()
        (session, open, note) = (nil, nil, nil)
        screen = .locked
        if let text { say(text) }
    }

    /// The vault, if it has not locked by itself.
    func openVault() async -> OpenVault? {
        if let open, await !open.isLocked { return open }
        await lock("It has locked by itself, as it does after five minutes.")
        return nil
    }
}
