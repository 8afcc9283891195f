import Nightlatch
import NightlatchProgram
import NightlatchUI

/// The PIN and biometrics settings.
extension DemoPhone {
    func changePin() async {
        guard let profile else { return }
        do {
            switch try await service(of: profile).changePin().outcome {
            case .changed(let open):
                pad.end(.pinSet)
                await enter(open)
                say("Your PIN is changed, and the vault is sealed again under it.", .good)
            case .cancelled: pad.end(.cancelled)
            case .waiting(let wait, _): say("Wait \(wait.inWords).", .bad)
            case .blocked(let unblocking): block(unblocking)
            case .erased: await startOver()
            case .missing:
                pad.end(.missing)
                say("The vault cannot be found now. Nothing was removed. Try again.", .bad)
            }
        } catch {
            pad.end(.failed)
            say("The PIN was not changed: \(error)", .bad)
        }
    }

    /// Sets a new PIN after the old one was blocked.
    ///
    /// - Parameter credentials: The proof that the user has just signed in.
    func replacePin(_ open: OpenVault, after credentials: FullCredentials) async {
        guard let profile else { return }
        screen = .home
        do {
            switch try await service(of: profile).setPin(in: open, after: credentials).outcome {
            case .changed(let open):
                pad.end(.pinSet)
                isPinBlocked = false
                finish(.replacePin)
                await enter(open)
                say("You have signed in at Harbour again, and your new PIN opens the vault.", .good)
            case .cancelled, .waiting, .blocked, .erased, .missing:
                pad.end(.cancelled)
                say("There is no new PIN yet. Your finger still opens the vault.")
            }
        } catch {
            pad.end(.failed)
            say("No new PIN was set: \(error)", .bad)
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
            say(
                usesBiometrics
                    ? "From now on your finger opens the vault too." : "From now on only the PIN opens the vault.",
                .good)
        } catch {
            say("Nothing was changed: \(error)", .bad)
        }
    }
}
