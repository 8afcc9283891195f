import Nightlatch
import NightlatchUI
import NightlatchWire

/// Logging in, and payments.
extension DemoPhone {
    func logIn(_ open: OpenVault) async {
        guard let profile, let keys = device.profiles.deviceKeys(of: profile.id) else { return }
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

    /// The app's backend asks for a payment. A phone that is logged in is told, as by a push message.
    func askForPayment() async {
        do {
            try await backend.askForPayment()
        } catch {
            say("The backend got no answer: \(CommandFailure(error).message)", .bad)
            return
        }
        switch screen {
        case .home where session != nil:
            run { phone in
                if let open = await phone.openVault() { await phone.showNextPayment(open, isAsked: false) }
            }
        case .home, .locked: if !isBusy { say("A payment waits for you. Log in to see it.") }
        case .welcome, .payment, .blocked: break
        }
    }

    /// Shows the oldest payment that waits.
    ///
    /// - Parameters:
    ///   - open: For a new session, should the old one have ended.
    ///   - isAsked: Whether the person asked, and is told if there is none.
    func showNextPayment(_ open: OpenVault, isAsked: Bool) async {
        guard let session else { return }
        do {
            let pending = try await session.pendingTransactions()
            if let next = pending.first {
                message = nil
                screen = .payment(next)
            } else if isAsked {
                say("No payment waits for you.")
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
    /// Whether the access token is worth nothing any more. A new login tells why.
    var endsSession: Bool { code == .accessTokenRefused || code == .deviceRevoked }
}
