import Nightlatch
import NightlatchProgram

// The sentences of `doctor` about each finding.

extension VaultState {
    var sentence: String {
        switch self {
        case .absent: "There is none."
        case .erased: "It was erased after too many wrong PINs, as its policy says."
        case .ready(let triesLeft): "Locked; \(triesLeft) tries left."
        case .waiting(let wait, let triesLeft): "Locked; wait \(wait.inWords), then \(triesLeft) tries left."
        case .blocked(let unblocking): unblocking.sentence
        }
    }
}

extension KeyDerivationParameters? {
    var sentence: String {
        switch self {
        case let parameters?:
            "The PIN is stretched by \(parameters.name); `nightlatch attack-cost` says what that is worth."
        case nil: "No PIN opens it."
        }
    }
}

extension StoreGuarantees {
    /// The consequences of the store's guarantees, one sentence each.
    ///
    /// - Parameter isHardened: Whether a server hardens the vault's PIN.
    func sentences(isHardened: Bool) -> [String] {
        [
            isDeviceBound
                ? "The vault cannot be read on another machine."
                : isHardened
                    ? "A copy of the file can be used on another machine, where the server's count holds and no other lockout."
                    : "A copy of the file can be guessed at on another machine, where no lockout holds.",
            resistsRollback
                ? "An old state cannot be put back."
                : "Whoever can write your files can put an old copy back, and the count of failed attempts with it.",
        ]
    }
}

extension LockoutPolicy {
    var sentence: String {
        "Lockout: after \(firstWaitAfter) failures in a row a wait of \(waits.map(\.inWords).joined(separator: ", then ")); "
            + "after \(limit) the PIN ends."
    }
}
