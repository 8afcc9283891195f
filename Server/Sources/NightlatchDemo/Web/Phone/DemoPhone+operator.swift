import NightlatchRelyingParty
import NightlatchUI

/// The actions of the operator, and their effect on the phone.
extension DemoPhone {
    /// Asks an operator to act on the phone. The phone learns of it at once, as by a push message.
    func askOperator(to action: DemoOperator.Action) async {
        do {
            try await `operator`.apply(action)
            isBlockedByOperator = action == .block
            learn(of: action)
        } catch {
            say("The phone could not be \(action.rawValue): \(error)", .bad)
        }
    }

    /// Shows what an operator has done. A phone whose vault is open asks the server, and shows the server's answer.
    func learn(of action: DemoOperator.Action) {
        if action == .revoke { finish(.revoke) }
        guard !isBusy else {
            // A prompt hides the app, so the prompt ends first.
            newsOfOperator = action
            pad.withdraw()
            sensor.answer(.cancelled)
            return
        }
        switch screen {
        case .home, .payment, .login, .number, .loginEnded, .signIn(.newPin):
            screen = .home
            run { phone in
                if let open = await phone.openVault() { await phone.logIn(open) }
            }
        case .welcome, .locked, .signIn(.settingUpAgain), .blocked:
            say("An operator has \(action.rawValue) this phone.")
        }
    }

    func registerShop() async {
        do {
            try await `operator`.registerShop()
            isShopRegistered = true
        } catch .appChanged {
            // The button was pressed twice.
            isShopRegistered = true
        } catch {
            say("The operator could not register the shop: \(error)", .bad)
        }
    }
}
