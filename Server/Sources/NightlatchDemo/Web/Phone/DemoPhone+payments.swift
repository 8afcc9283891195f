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
            finish(.logIn)
            say("Logged in. The access token is bound to this phone’s key.", .good)
            await showNextRequest(open, isAsked: false)
        } catch {
            session = nil
            switch error {
            case .blocked:
                say("An operator has blocked this phone. It keeps its keys, and logs in again once unblocked.", .bad)
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
        learnOfRequest("You have a pending payment. Log in to see it.")
    }
}

extension RelyingPartyRefusal {
    /// Whether the access token is no longer valid. The next login shows the reason.
    var endsSession: Bool { code == .accessTokenRefused || code == .deviceRevoked }
}
