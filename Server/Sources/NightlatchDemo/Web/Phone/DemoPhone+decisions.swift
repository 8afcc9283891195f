import Nightlatch
import NightlatchProgram
import NightlatchUI
import NightlatchWire

/// Deciding requests: payments, and logins in a browser.
extension DemoPhone {
    /// Decides the request on the screen. A login with a number is confirmed in two steps.
    func decide(_ decision: TransactionDecision) {
        switch screen {
        case .payment(let payment): run { await $0.decide(decision, on: payment) }
        case .login(let login):
            guard !isBusy else { return }
            if decision == .confirm, login.details.hasNumber {
                screen = .number(login, typed: "")
            } else {
                run { await $0.decide(decision, on: login, number: nil) }
            }
        case .number(let login, let typed):
            guard decision == .confirm, let number = RemoteLoginNumber(rawValue: typed) else { return }
            run { await $0.decide(.confirm, on: login, number: number) }
        case .welcome, .locked, .home, .loginEnded, .signIn, .blocked: break
        }
    }

    /// Asks the user to authenticate for this one decision, and signs it.
    private func decide(_ decision: TransactionDecision, on payment: PendingTransaction) async {
        let details = payment.details
        let verb = decision == .confirm ? "Pay" : "Do not pay"
        let reason = "\(verb) \(details.amount) \(details.currency) to \(details.payee)"
        do {
            let isDecided = try await ask { service, session, keys throws(DecisionError) in
                try await service.decide(decision, on: payment, in: session, keys: keys, reason: reason)
            }
            guard isDecided else { return }
            finish(.decide)
            screen = .home
            switch decision {
            case .confirm: say("The payment is confirmed, and signed by this phone’s key.", .good)
            case .reject: say("The payment is rejected, and the rejection is signed by this phone’s key.", .good)
            }
        } catch {
            screen = .home
            fail(error)
        }
    }

    /// Asks the user to authenticate for this one decision, and signs it.
    private func decide(
        _ decision: TransactionDecision, on login: PendingRemoteLogin, number: RemoteLoginNumber?
    ) async {
        let app = login.details.app
        let reason = decision == .confirm ? "Log in to \(app)" : "Reject the login to \(app)"
        do {
            let isDecided = try await ask { service, session, keys throws(DecisionError) in
                try await service.decide(
                    decision, on: login, number: number, in: session, keys: keys, reason: reason)
            }
            guard isDecided else { return }
            if decision == .confirm { finish(.logInAtShop) }
            screen = .loginEnded(decision == .confirm ? .confirmed(app) : .rejected(app))
        } catch .numberWrong {
            pad.end(.failed)
            screen = .loginEnded(.numberWrong)
        } catch .remoteLoginEnded {
            pad.end(.failed)
            screen = .loginEnded(.ended)
        } catch {
            screen = .home
            fail(error)
        }
    }

    /// Lets the user decide with `decide`.
    ///
    /// - Returns: Whether the decision was recorded. If not, the phone shows the reason.
    private func ask(
        _ decide: (LocalAuthService, Session, any DeviceKeys) async throws(DecisionError) -> TransactionResult
    ) async throws(DecisionError) -> Bool {
        guard let profile, let session else { return false }
        let keys = device.profiles.deviceKeys(of: profile.id)
        switch try await decide(service(of: profile), session, keys).outcome {
        case .decided:
            pad.end(.unlocked)
            return true
        case .cancelled: pad.end(.cancelled)
        case .waiting(let wait, _): say("Wait \(wait.inWords).", .bad)
        case .blocked(let unblocking): block(unblocking)
        case .erased: await startOver()
        case .missing:
            pad.end(.missing)
            say("The vault cannot be found now. Nothing was removed. Try again.", .bad)
        }
        return false
    }

    private func fail(_ error: DecisionError) {
        pad.end(.failed)
        if case .relyingParty(.refused(let refusal)) = error, refusal.endsSession {
            session = nil
            say("Your session has ended. Log in again; the request still waits.", .bad)
        } else {
            if error == .revoked { (session, isBound) = (nil, false) }
            say(CommandFailure(error).message, .bad)
        }
    }
}
