package import Nightlatch

// Messages about the PIN for the user at the terminal.

extension PinRefusal {
    /// The message for the user.
    package var sentence: String {
        switch self {
        case .wrong(let triesLeft, let wait):
            let tries = triesLeft == 1 ? "1 attempt left" : "\(triesLeft) attempts left"
            return "Wrong PIN: \(tries)" + (wait.map { ", the next one in \($0.inWords)." } ?? ".")
        case .waiting(let wait, let triesLeft):
            let attempts = triesLeft == 1 ? "1 attempt is" : "\(triesLeft) attempts are"
            return "The PIN was not checked: wait \(wait.inWords), then \(attempts) left."
        case .blocked(let unblocking): return unblocking.sentence
        case .erased: return "Wrong PIN. It was the last attempt, so the vault was erased."
        }
    }
}

extension CommandFailure {
    package init(_ refusal: PinRefusal) {
        self.init(.refused, refusal.sentence)
    }
}

extension ForeignGuesses {
    /// The message for the user: who may have guessed, and whether the key was changed.
    ///
    /// - Parameter failure: The error that prevented the change of the key; nil if it was changed.
    package func sentence(_ failure: VaultError?) -> String {
        let told = surelyForeign > 0 ? surelyForeign : count
        let guesses = told == 1 ? "1 PIN" : "\(told) PINs"
        let who =
            surelyForeign > 0
            ? "WARNING: someone with a copy of this device's files has tried \(guesses) at the server."
            : "NOTE: the server has counted \(guesses) that this device knows nothing about. They may be yours, if the "
                + "network failed. Otherwise someone has a copy of this device's files."
        guard let failure else {
            return who
                + " The key that they were tried with is destroyed: older copies are useless now."
                + (surelyForeign > 0 ? " Find out who can read your files." : "")
        }
        return who
            + " The key that they were tried with could NOT be changed, so a copy can still use the attempts that are "
            + "left. "
            + CommandFailure(failure).message
            + " Unlock again soon over a network that you trust. If it fails again, have this device revoked at the "
            + "server."
    }
}

extension Unblocking {
    /// The message for the user.
    package var sentence: String {
        switch self {
        case .newCredentials:
            "The PIN is blocked: no PIN opens this vault any more. To start over with a new code, run "
                + "`nightlatch bind --replace`."
        case .recoveryPhrase: "The PIN is blocked: only the recovery phrase opens this vault now."
        }
    }
}

extension [PinObjection] {
    /// All objections in one sentence, and a sentence that nothing was changed.
    package var sentence: String { refusal + " Nothing was changed." }

    /// All objections in one sentence, for a user who can choose another PIN.
    package var refusal: String { "This PIN is not allowed: \(map(\.reason).joined(separator: "; "))." }
}

extension PinObjection {
    package var reason: String {
        switch self {
        case .length(let allowed) where allowed.count == 1: "it must have \(allowed.lowerBound) digits"
        case .length(let allowed): "it must have \(allowed.lowerBound) to \(allowed.upperBound) digits"
        case .fewDifferentDigits(let least): "it must have at least \(least) different digits"
        case .common(.repetition): "it repeats one or two digits"
        case .common(.run): "it counts up or down"
        case .common(.pattern): "it repeats a pattern"
        case .common(.palindrome): "it reads the same from both ends"
        case .common(.year): "it is a year"
        case .common(.date): "it is a date"
        case .common(.sorted): "its digits only rise or only fall"
        case .common(.severalRuns): "it consists of number sequences"
        case .common(.padShape): "it draws a shape on the digit pad"
        case .common(.popular): "it is one of the PINs that people choose most"
        case .sameAsCurrent: "it is the current PIN"
        case .ofApp(let reason): reason
        }
    }
}

extension Duration {
    /// The duration in seconds or minutes, rounded up. After that time, a wait is certainly over.
    package var inWords: String {
        let seconds = components.seconds + (components.attoseconds > 0 ? 1 : 0)
        return seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    }
}
