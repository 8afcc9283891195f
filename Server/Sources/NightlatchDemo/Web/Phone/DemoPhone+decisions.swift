import Nightlatch
import NightlatchProgram
import NightlatchUI
import NightlatchWire

/// Confirming and rejecting payments.
extension DemoPhone {
    /// Asks the user to authenticate for this one decision, and signs it.
    func decide(_ decision: TransactionDecision, on payment: PendingTransaction) async {
        guard let profile, let session else { return }
        let keys = device.profiles.deviceKeys(of: profile.id)
        let reason =
            "\(decision == .confirm ? "Confirm" : "Reject") \(payment.details.amount) \(payment.details.currency)"
        let result: TransactionResult
        do {
            result = try await service(of: profile)
                .decide(decision, on: payment, in: session, keys: keys, reason: reason)
        } catch {
            return fail(error)
        }
        switch result.outcome {
        case .decided: finish(decision)
        case .cancelled: pad.end(.cancelled)
        case .waiting(let wait, _): say("Wait \(wait.inWords).", .bad)
        case .blocked(let unblocking): block(unblocking)
        case .erased: await startOver()
        case .missing:
            pad.end(.missing)
            say("The vault cannot be found now. Nothing was removed. Try again.", .bad)
        }
    }

    private func finish(_ decision: TransactionDecision) {
        pad.end(.unlocked)
        screen = .home
        switch decision {
        case .confirm: say("The payment is confirmed, and signed by this phone’s key.", .good)
        case .reject: say("The payment is rejected, and the rejection is signed by this phone’s key.", .good)
        }
    }

    private func fail(_ error: DecisionError) {
        pad.end(.failed)
        screen = .home
        if case .relyingParty(.refused(let refusal)) = error, refusal.endsSession {
            session = nil
            say("Your session has ended. Log in again; the payment is still pending.", .bad)
        } else {
            if error == .revoked { (session, isBound) = (nil, false) }
            say(CommandFailure(error).message, .bad)
        }
    }
}
