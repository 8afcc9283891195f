import Nightlatch
import NightlatchProgram

// The sentences of `doctor` about each finding.

extension VaultState {
    var sentence: String {
        switch self {
        case .absent: "There is none."
        case .erased: "It was erased after too many wrong PINs, as its policy says."
        case .ready(let triesLeft): "Locked; \(triesLeft) attempts left."
        case .waiting(let wait, let triesLeft): "Locked; wait \(wait.inWords), then \(triesLeft) attempts left."
        case .blocked(let unblocking): unblocking.sentence
        }
    }
}

extension KeyDerivationParameters? {
    var sentence: String {
        switch self {
        case let parameters?:
            "The PIN is stretched by \(parameters.name); `nightlatch attack-cost` shows how long that resists guessing."
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
                    ? "A copy of the file can be used on another machine, where only the server counts attempts."
                    : "A copy of the file can be searched for the PIN on another machine, where no lockout applies.",
            resistsRollback
                ? "An old state cannot be restored."
                : "A program that can write your files can restore an old copy, with its count of failed attempts.",
        ]
    }
}

extension LockoutPolicy {
    var sentence: String {
        "Lockout: after \(firstWaitAfter) failures in a row a wait of \(waits.map(\.inWords).joined(separator: ", then ")); "
            + "after \(limit) no PIN is accepted."
    }
}
