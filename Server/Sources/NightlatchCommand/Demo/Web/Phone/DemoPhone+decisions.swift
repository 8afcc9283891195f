import Nightlatch
import NightlatchUI
import NightlatchWire

/// Confirming and rejecting payments.
extension DemoPhone {
    /// Has the person prove that they are there, for this one decision, and signs it.
    func decide(_ decision: TransactionDecision, on payment: PendingTransaction) async {
        guard let profile, let session, let keys = device.profiles.deviceKeys(of: profile.id) else { return }
        let decider = TransactionDecider(vault: device.profiles.vault(of: profile), keys: keys)
        let reason =
            "\(decision == .confirm ? "Confirm" : "Reject") \(payment.details.amount) \(payment.details.currency)"
        var failure: BiometricError?
        if usesBiometrics {
            do {
                switch decision {
                case .confirm: try await decider.confirm(payment, in: session, biometricReason: reason)
                case .reject: try await decider.reject(payment, in: session, biometricReason: reason)
                }
                return finish(decision)
            } catch .biometrics(.biometrics(let error)) {
                failure = error
            } catch {
                return fail(error)
            }
        }
        await decide(decision, on: payment, by: decider, in: session, reason: reason, after: failure)
    }

    /// Asks for the PIN until it is right, the person cancels or no PIN may be tried.
    private func decide(
        _ decision: TransactionDecision,
        on payment: PendingTransaction,
        by decider: TransactionDecider,
        in session: Session,
        reason: String,
        after biometricFailure: BiometricError?
    ) async {
        guard let profile else { return }
        var (lastTry, biometricFailure) = (PinRefusal?.none, biometricFailure)
        // Ends: when the person decides or goes away; lockout bounds the PINs.
        while true {
            let (triesLeft, wait): (Int, Duration?)
            do {
                switch try await device.profiles.vault(of: profile).stateForPrompt() {
                case .ready(let left): (triesLeft, wait) = (left, nil)
                case .waiting(let time, let left): (triesLeft, wait) = (left, time)
                case .blocked(let unblocking): return block(unblocking)
                case .erased: return await startOver()
                case .absent:
                    pad.end(.missing)
                    return say("This phone does not find the vault now. Nothing was removed: try again.", .bad)
                }
            } catch {
                return fail(.unlock(.record(error)))
            }
            let challenge = PinChallenge(
                profile: profile, purpose: .unlock(reason: reason), failureCount: device.tryLimit - triesLeft,
                triesLeft: triesLeft, pinLength: profile.pinLength, lastTry: lastTry, wait: wait,
                biometricFailure: biometricFailure)
            biometricFailure = nil
            switch await pad.enterPin(challenge) {
            case .cancelled, .biometrics: return pad.end(.cancelled)
            case .forgotten: return await giveUpPin(of: profile)
            case .pin(let box):
                guard let pin = box.take() else { return }
                do {
                    switch decision {
                    case .confirm: try await decider.confirm(payment, in: session, pin: pin)
                    case .reject: try await decider.reject(payment, in: session, pin: pin)
                    }
                    return finish(decision)
                } catch .unlock(.refused(.blocked(let unblocking))) {
                    return block(unblocking)
                } catch .unlock(.refused(let refusal)) {
                    lastTry = refusal
                } catch {
                    return fail(error)
                }
            }
        }
    }

    private func giveUpPin(of profile: Profile) async {
        do {
            if case .blocked(let unblocking) = try await device.profiles.vault(of: profile).giveUpPin() {
                block(unblocking)
            }
        } catch {
            fail(.unlock(error))
        }
    }

    private func finish(_ decision: TransactionDecision) {
        pad.end(.unlocked)
        screen = .home
        switch decision {
        case .confirm: say("The payment is confirmed, and signed by this phone’s key.", .good)
        case .reject: say("The payment is rejected, and that is signed too.", .good)
        }
    }

    private func fail(_ error: DecisionError) {
        pad.end(.failed)
        screen = .home
        if case .relyingParty(.refused(let refusal)) = error, refusal.endsSession {
            session = nil
            say("Your session has ended. Log in again; the payment still waits.", .bad)
        } else {
            if error == .revoked { (session, isBound) = (nil, false) }
            say(CommandFailure(error).message, .bad)
        }
    }
}
