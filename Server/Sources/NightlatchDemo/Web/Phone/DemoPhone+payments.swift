import Nightlatch
import NightlatchProgram
import NightlatchUI
import NightlatchWire

/// Login and payments.
extension DemoPhone {
    func logIn(_ open: OpenVault) async {
        guard let profile else { return }
        let keys = device.profiles.deviceKeys(of: profile.id)
        do {
            session = try await Login(relyingParty: device.relyingParty, keys: keys).resume(open)
            say("Logged in. The access token is bound to this phone’s key.", .good)
            await showNextPayment(open, isAsked: false)
        } catch {
            switch error {
            case .revoked, .notBound:
                isBound = false
                say("The server has revoked this phone, and its keys are deleted. The vault still opens.", .bad)
            default: say(CommandFailure(error).message, .bad)
            }
        }
    }

    /// Makes the app's backend create a payment. A phone that is logged in shows the payment, as after a push message.
    func askForPayment() async {
        do {
            try await backend.askForPayment()
        } catch {
            say("The backend got no answer: \(error.message)", .bad)
            return
        }
        switch screen {
        case .home where session != nil:
            run { phone in
                if let open = await phone.openVault() { await phone.showNextPayment(open, isAsked: false) }
            }
        case .home, .locked: if !isBusy { say("You have a pending payment. Log in to see it.") }
        case .welcome, .payment, .blocked: break
        }
    }

    /// Shows the oldest pending payment.
    ///
    /// - Parameters:
    ///   - open: The open vault, to log in again if the session has ended.
    ///   - isAsked: Whether the user asked for payments. If so, the user gets a message if no payment is pending.
    func showNextPayment(_ open: OpenVault, isAsked: Bool) async {
        guard let session else { return }
        do {
            let pending = try await session.pendingTransactions()
            if let next = pending.first {
                message = nil
                screen = .payment(next)
            } else if isAsked {
                say("You have no pending payments.")
            }
        } catch .relyingParty(.refused(let refusal)) where refusal.endsSession {
            self.session = nil
            await logIn(open)
        } catch {
            say(CommandFailure(error).message, .bad)
        }
    }
}

extension RelyingPartyRefusal {
    /// Whether the access token is no longer valid. The next login shows the reason.
    var endsSession: Bool { code == .accessTokenRefused || code == .deviceRevoked }
}
