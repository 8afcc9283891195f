import Nightlatch

// What `doctor` says of each thing it finds.

extension VaultState {
    var sentence: String {
        switch self {
        case .absent: "There is none."
        case .ready(let triesLeft): "Locked; \(triesLeft) tries left."
        case .waiting(let wait, let triesLeft): "Locked; wait \(wait.inWords), then \(triesLeft) tries left."
        case .blocked(let unblocking): unblocking.sentence
        }
    }
}

extension KeyDerivationParameters? {
    var sentence: String {
        switch self {
        case .argon2id(let memoryKibibytes, let passes, _):
            // 1667 guesses a second on one RTX 4090 at 64 MiB and three passes: hashcat, pull request 4284 of July 2025. Other
            // parameters take in proportion to what they fill.
            "The PIN is stretched by Argon2id, \(memoryKibibytes / 1024) MiB gone through \(passes) times. That slows down someone who "
                + "has a copy of the file, and does not stop them: one RTX 4090 tries all six-digit PINs in about "
                + "\(max(1, memoryKibibytes * passes / 19_661)) min. Keep the file to yourself."
        case .pbkdf2(let iterations):
            // 8.8 thousand million iterations a second on one RTX 4090: J. Gosney's hashcat figures of December 2022.
            "The PIN is stretched by PBKDF2-HMAC-SHA256, \(iterations) iterations. Against someone who has a copy of the file "
                + "that is little: one RTX 4090 tries all six-digit PINs in \(iterations / 8_800) s. Keep the file to yourself."
        case nil: "No PIN opens it."
        }
    }
}

extension StoreGuarantees {
    var sentences: [String] {
        [
            isDeviceBound
                ? "The vault cannot be read on another machine."
                : "A copy of the file can be guessed at on another machine, where no lockout holds.",
            resistsRollback
                ? "An old state cannot be put back."
                : "Whoever can write your files can put an old copy back, and the count of failed attempts with it.",
        ]
    }
}

extension LockoutPolicy {
    var sentence: String {
        "Lockout: from the \(firstWaitAfter). failure in a row on a wait of \(waits.map(\.inWords).joined(separator: ", then ")); "
            + "the \(limit). ends the PIN."
    }
}
