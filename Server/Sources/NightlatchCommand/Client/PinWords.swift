import Nightlatch
import NightlatchProgram

// Messages about the PIN for a person at the terminal.

extension PinRefusal {
    /// The message for the person.
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

extension CommandFailure {
    init(_ refusal: PinRefusal) {
        self.init(.refused, refusal.sentence)
    }
}

extension ForeignGuesses {
    /// The message for the person: who may have guessed, and whether the key was changed.
    ///
    /// - Parameter failure: Why the key could not be changed; nil if it was changed.
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
    /// The message for the person.
    var sentence: String {
        switch self {
        case .newCredentials:
            "Locked for good: no PIN opens this vault any more. `nightlatch register --replace` begins anew, with a new code."
        case .recoveryPhrase: "Locked: only the recovery phrase opens this vault now."
        }
    }
}

extension [PinObjection] {
    /// All objections in one sentence.
    var sentence: String { refusal + " Nothing was changed." }

    /// All objections in one sentence, while the person may choose another PIN.
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
    /// The duration in seconds or minutes, rounded up. After that time, a wait is certainly over.
    var inWords: String {
        let seconds = components.seconds + (components.attoseconds > 0 ? 1 : 0)
        return seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    }
}
