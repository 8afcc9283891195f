import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchUI
import NightlatchWire

/// The sign-in by password after the PIN was blocked.
extension DemoPhone {
    /// The purpose of a sign-in.
    enum SignInPurpose: Hashable {
        /// Choose a new PIN for a vault that a finger has opened.
        case newPin
        /// Set the phone up again, because nothing opens its vault.
        case settingUpAgain
    }

    func askToSignIn(for purpose: SignInPurpose) {
        message = nil
        screen = .signIn(purpose)
    }

    /// Signs in with the typed password, and continues with the purpose of the sign-in.
    func signIn(with text: String) {
        guard case .signIn(let purpose) = screen else { return }
        guard let password = Password(rawValue: text) else {
            if !isBusy { say("Type the password.", .bad) }
            return
        }
        run { await $0.signIn(with: password, for: purpose) }
    }

    private func signIn(with password: Password, for purpose: SignInPurpose) async {
        do {
            try await check(password, for: purpose)
        } catch .relyingParty(.refused(let refusal)) where refusal.code == .credentialsRefused {
            say("The server did not accept the password. Try again.", .bad)
        } catch {
            say(CommandFailure(error).message, .bad)
        }
    }

    /// Asks the server whether the password is right, and then continues.
    private func check(_ password: Password, for purpose: SignInPurpose) async throws(FullCredentialsError) {
        switch purpose {
        case .newPin:
            guard let open = await openVault() else { return }
            let credentials = try await FullCredentials.checked(password, by: device.relyingParty, for: open)
            await replacePin(open, after: credentials)
        case .settingUpAgain:
            // The binding is in the vault, which nothing opens. The server checks the password all the same.
            do {
                _ = try await device.relyingParty.enrolmentCode(Credentials(user: backend.user, password: password))
            } catch {
                throw .relyingParty(error)
            }
            await startOver()
            say("You have signed in at Harbour. Set up this phone again.", .good)
        }
    }
}
