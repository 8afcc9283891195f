import Nightlatch
import NightlatchProgram
import NightlatchUI

/// Unlocking and locking.
extension DemoPhone {
    func unlock() async {
        guard let profile else { return }
        do {
            let result = try await service(of: profile).unlock(reason: "Open Harbour")
            switch result.outcome {
            case .unlocked(let open, let authenticator):
                pad.end(.unlocked)
                if authenticator != .pin { finish(.useFinger) }
                isPinBlocked = result.events.contains(.pinBlocked(.newCredentials))
                await enter(open)
                if result.hasEnrolmentChanged {
                    await forgetBiometrics(open)
                } else if isPinBlocked {
                    say("Unlocked with your finger. The PIN stays blocked until you sign in.")
                } else {
                    say(authenticator == .pin ? "Unlocked with the PIN." : "Unlocked with your finger.", .good)
                }
            case .cancelled: pad.end(.cancelled)
            case .waiting(let wait, _): say("Wait \(wait.inWords).", .bad)
            case .blocked(let unblocking):
                // After another finger was enrolled, biometrics do not open the vault.
                if result.hasEnrolmentChanged { usesBiometrics = false }
                block(unblocking)
            case .erased:
                pad.end(.erased)
                await startOver()
            case .missing:
                pad.end(.missing)
                say("The vault cannot be found now. Nothing was removed. Try again.", .bad)
            }
        } catch {
            pad.end(.failed)
            say("The vault could not be unlocked: \(error)", .bad)
        }
    }

    /// Removes the biometrics slot after another finger was enrolled. The old slot can no longer be opened.
    private func forgetBiometrics(_ open: OpenVault) async {
        guard let profile else { return }
        do {
            try await service(of: profile).remove(.biometrics, from: open)
            usesBiometrics = false
            say(
                "The fingers of this phone have changed, so they no longer open the vault. If they are yours, turn "
                    + "them on again."
            )
        } catch {
            say("The finger could not be turned off: \(error)", .bad)
        }
    }

    func block(_ unblocking: Unblocking) {
        pad.end(.blocked(unblocking))
        (session, open, note) = (nil, nil, nil)
        isPinBlocked = true
        screen = .blocked
    }

    func enter(_ open: OpenVault) async {
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

    /// Returns the open vault; nil if it has locked after its time limit.
    func openVault() async -> OpenVault? {
        if let open, await !open.isLocked { return open }
        await lock("It has locked by itself, as it does after five minutes.")
        return nil
    }
}
