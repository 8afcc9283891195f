import Nightlatch
import NightlatchWire

/// What errors of the client core say to a person, and how the command ends with them.
extension CommandFailure {
    init(_ error: UnlockError) {
        switch error {
        case .noVault: self.init(.refused, "There is no vault here. Run `nightlatch register` first.")
        case .refused(let refusal): self.init(.refused, refusal.sentence)
        case .record(let error): self.init(error)
        case .notPrepared:
            self.init(
                .unavailable, "There is not memory enough to try a PIN. Nothing was tried; free some and try again.")
        case .keyDerivation: self.init(.unavailable, "The PIN could not be worked on. The attempt counts.")
        case .hardener(let error): self.init(error)
        case .noHardener: self.init(.defect, "The vault's PIN hangs on a relying party, and none was given to it.")
        case .cancelled: self.init(.refused, "Cancelled. Nothing was tried.")
        }
    }

    init(_ error: VaultRecordError) {
        let status: CommandExit
        switch error {
        case .store(let error) where [.corrupt, .newerFormat].contains(error.code): status = .refused
        case .store: status = .unavailable
        case .corrupt, .newerFormat, .unacceptableKeyDerivation, .noRecordKey, .tooLarge: status = .refused
        }
        self.init(status, "The vault cannot be used: \(error).")
    }

    init(_ error: OpenVaultError) {
        switch error {
        case .locked: self.init(.refused, "The vault was locked.")
        case .superseded: self.init(.refused, "The PIN was changed meanwhile. Try again with the new one.")
        case .reservedName: self.init(.defect, "A name of the library's own was used.")
        case .record(let error): self.init(error)
        }
    }

    init(_ error: EraseVaultError) {
        switch error {
        case .record(let error): self.init(error)
        case .biometrics: self.init(.unavailable, "The vault is erased, but a key is left behind. Try again.")
        }
    }

    init(_ error: CreateVaultError) {
        switch error {
        case .exists: self.init(.refused, "There is a vault here already.")
        case .pinRefused(let objections): self.init(.refused, objections.sentence)
        case .record(let error): self.init(error)
        case .keyDerivation: self.init(.unavailable, "The PIN could not be worked on. No vault was made.")
        case .hardener(let error): self.init(error)
        }
    }

    init(_ error: ChangePinError) {
        switch error {
        case .newPinRefused(let objections): self.init(.refused, objections.sentence)
        case .unlock(let error): self.init(error)
        case .vault(let error): self.init(error)
        case .rekey(let error): self.init(error)
        }
    }

    init(_ error: SetPinError) {
        switch error {
        case .pinRefused(let objections): self.init(.refused, objections.sentence)
        case .hasPin: self.init(.refused, "The vault has such a PIN already.")
        case .recoveryPhraseNeeded: self.init(.refused, Unblocking.recoveryPhrase.sentence)
        case .vault(let error): self.init(error)
        case .rekey(let error): self.init(error)
        }
    }

    init(_ error: RekeyError) {
        switch error {
        case .record(let error): self.init(error)
        case .keyDerivation:
            self.init(.unavailable, "The new PIN could not be worked on. The old one still opens.")
        case .superseded: self.init(.refused, "The PIN was changed by another program meanwhile.")
        case .hardener(let error): self.init(error)
        case .noHardener: self.init(UnlockError.noHardener)
        }
    }

    init(_ error: PinHardenerError) {
        switch error {
        case .unavailable(let error): self.init(error)
        case .notGenuine:
            self.init(
                .refused,
                "What answered has not the key that this device's PIN hangs on. Nothing was derived from the answer.")
        case .epochPassed:
            self.init(
                .refused,
                "This copy of the vault is an old one: the server has another key for its PIN by now. `nightlatch register --replace` begins "
                    + "anew, with a new code.")
        case .candidateOpen:
            self.init(.refused, "The server has begun another change of this PIN. Bring an enrolment code.")
        case .destroyed:
            self.init(
                .refused,
                "Too many wrong PINs: the server has destroyed its key, and no PIN opens this vault any more. `nightlatch register "
                    + "--replace` begins anew, with a new code.")
        case .codeNeeded:
            self.init(.refused, "The server gives a new key for the PIN only for an enrolment code.")
        case .refused(let refusal): self.init(RelyingPartyError.refused(refusal))
        case .key(let error): self.init(error)
        case .elsewhere(let device):
            let other =
                device.account.map { "another server, \($0.issuer)" } ?? "a chip of the device that it was made on"
            self.init(.refused, "The PIN of this vault hangs on \(other).")
        case .lockedOut(let wait):
            let time = wait.map { "for \($0.inWords)" } ?? "until somebody resets its count"
            self.init(.refused, "Too many wrong PINs: the chip tries none \(time).")
        case .chip(let error): self.init(.unavailable, "The chip had no part in the PIN: \(error).")
        case .cancelled: self.init(.refused, "Cancelled. Try the same again to find out what became of it.")
        }
    }

    init(_ error: DeviceKeyError) {
        let isLost = error.code == .absent || error.code == .corrupt
        self.init(
            error.code == .unavailable || error.code == .full || error.code == .refused ? .unavailable : .refused,
            "A key of this device cannot be used: \(error)."
                + (isLost ? " `nightlatch register --replace` begins anew, with a new code." : ""))
    }

    init(_ error: RelyingPartyError) {
        switch error {
        case .unreachable(let reason):
            self.init(.unavailable, "The server does not answer (\(reason)). Try the same again.")
        case .refused(let refusal):
            let status: CommandExit = refusal.isDecision ? .refused : .unavailable
            let wait = refusal.retryAfter.map { " Try the same again in \($0.inWords)." } ?? ""
            self.init(
                status,
                "The server refused: \(refusal.title) (\(refusal.code.rawValue), HTTP \(refusal.status))"
                    + (refusal.detail.map { " \($0)" } ?? "") + wait)
        case .unintelligible(let status):
            self.init(.unavailable, "What answered is no Nightlatch server (HTTP \(status)).")
        case .cancelled:
            self.init(.refused, "Cancelled. Try the same again to find out what became of it.")
        }
    }

    init(_ error: BindingError) {
        switch error {
        case .alreadyBound(let binding):
            self.init(
                .refused,
                "This device is bound already, to \(binding.user) at \(binding.issuer), and not with this server. `nightlatch register "
                    + "--replace` erases the vault and begins anew.")
        case .codeOfAnotherUser(let user):
            self.init(
                .refused,
                "The code is for \(user), and this device is bound to another user. Nothing was changed. Ask for a code of that user."
            )
        case .superseded:
            self.init(.refused, "Another program has begun a binding or ended this one. Run the same with a new code.")
        case .vault(let error): self.init(error)
        case .key(let error): self.init(error)
        case .relyingParty(let error): self.init(error)
        }
    }

    init(_ error: LoginError) {
        switch error {
        case .notBound: self.init(.refused, "This device is bound to nobody. Run `nightlatch register` first.")
        case .boundElsewhere(let binding):
            self.init(.refused, "This device is bound to \(binding.user) at \(binding.issuer), not with this server.")
        case .revoked:
            self.init(
                .refused,
                "This device was revoked, or another one has taken its place (device_revoked or device_replaced, HTTP 401). Its keys are "
                    + "deleted; register it again with a new code."
            )
        case .relyingParty(.refused(let refusal)) where refusal.code == .messageRefused:
            self.init(
                .refused,
                "The server refused this device's login (message_refused): it does not know the device or its user. If it was restored from "
                    + "a backup, get a new code and run `nightlatch register`: the device is bound again, and the vault stays as it is."
            )
        case .blocked:
            self.init(
                .refused,
                "This device is blocked (device_blocked). Its keys are kept; it can log in again once the block is undone."
            )
        case .vault(let error): self.init(error)
        case .key(let error): self.init(error)
        case .relyingParty(let error): self.init(error)
        }
    }

    init(_ error: DecisionError) {
        switch error {
        case .unlock(let error): self.init(error)
        case .biometrics: self.init(.refused, "Biometrics did not open the vault. Nothing was decided.")
        case .notBound:
            self.init(.refused, "This device was bound anew meanwhile. Nothing was decided; run the same again.")
        case .revoked: self.init(LoginError.revoked)
        case .blocked: self.init(LoginError.blocked)
        case .vault(let error): self.init(error)
        case .key(let error): self.init(error)
        case .ended(.confirmed): self.init(.refused, "This transaction was confirmed before.")
        case .ended(.rejected): self.init(.refused, "This transaction was rejected before.")
        case .ended(.voided): self.init(.refused, "This transaction was taken back.")
        case .ended(.expired), .ended(.pending): self.init(.refused, "This transaction was not decided in time.")
        case .changed:
            self.init(
                .refused,
                "What was shown is not what the server has (transaction_changed). Nothing was decided. Look at it again."
            )
        case .cannotBeShown:
            self.init(
                .refused,
                "This transaction has a text that cannot be shown. Nothing was decided; it can only be rejected (--reject)."
            )
        case .relyingParty(let error): self.init(error)
        }
    }

    init(_ error: SessionError) {
        switch error {
        case .key(let error): self.init(error)
        case .relyingParty(let error): self.init(error)
        }
    }
}

extension PinRefusal {
    /// What a person is told.
    var sentence: String {
        switch self {
        case .wrong(let triesLeft, let wait):
            let tries = triesLeft == 1 ? "1 try left" : "\(triesLeft) tries left"
            return "Wrong PIN: \(tries)" + (wait.map { ", the next one in \($0.inWords)." } ?? ".")
        case .waiting(let wait, let triesLeft):
            return
                "Not tried: wait \(wait.inWords), then \(triesLeft == 1 ? "1 try is" : "\(triesLeft) tries are") left."
        case .blocked(let unblocking): return unblocking.sentence
        case .erased: return "Wrong PIN, and the last one: the vault was erased."
        }
    }
}

extension ForeignGuesses {
    /// What a person is told: who may have guessed, and what has become of the key that they guessed with.
    ///
    /// - Parameter failure: Why that key is still the same; nil if another has taken its place.
    func sentence(_ failure: RekeyError?) -> String {
        let told = surelyForeign > 0 ? surelyForeign : count
        let guesses = told == 1 ? "1 PIN" : "\(told) PINs"
        let who =
            surelyForeign > 0
            ? "WARNING: somebody who has a copy of this device's files has tried \(guesses) at the server."
            : "NOTE: \(guesses) of this device were tried at the server that this device was told nothing of. They may be yours, if the network "
                + "failed; else somebody has a copy of this device's files."
        guard let failure else {
            return who
                + " The key that they were tried with is destroyed: a copy from before is worth nothing any more."
                + (surelyForeign > 0 ? " Find out who can read your files." : "")
        }
        return who
            + " The key that they were tried with could NOT be changed, so a copy is good for the tries that the server has left. "
            + CommandFailure(failure).message
            + " Unlock again soon by a network that you trust; if it fails again, have this device revoked at the server."
    }
}

extension Unblocking {
    /// What a person is told.
    var sentence: String {
        switch self {
        case .newCredentials:
            "Locked for good: no PIN opens this vault any more. `nightlatch register --replace` begins anew, with a new code."
        case .recoveryPhrase: "Locked: only the recovery phrase opens this vault now."
        }
    }
}

extension [PinObjection] {
    /// Every reason, in one sentence.
    var sentence: String { refusal + " Nothing was changed." }

    /// The same, while another one may be chosen.
    var refusal: String { "This PIN may not be used: \(map(\.reason).joined(separator: "; "))." }
}

extension PinObjection {
    var reason: String {
        switch self {
        case .length(let allowed) where allowed.count == 1: "it must have \(allowed.lowerBound) digits"
        case .length(let allowed): "it must have \(allowed.lowerBound) to \(allowed.upperBound) digits"
        case .common(.repetition): "it repeats one or two digits"
        case .common(.run): "it counts up or down"
        case .common(.pattern): "it repeats a pattern"
        case .common(.palindrome): "it reads the same from both ends"
        case .common(.year): "it is a year"
        case .common(.date): "it is a date"
        case .common(.sorted): "its digits only rise or only fall"
        case .common(.severalRuns): "it is made of runs of digits"
        case .common(.padShape): "it draws a shape on the digit pad"
        case .common(.popular): "it is one of the PINs that people choose most"
        }
    }
}

extension Duration {
    /// In seconds or minutes, rounded up, so that whoever waits that long has waited long enough.
    var inWords: String {
        let seconds = components.seconds + (components.attoseconds > 0 ? 1 : 0)
        return seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    }
}
