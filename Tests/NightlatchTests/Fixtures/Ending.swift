import Nightlatch
import Testing

// Results contain open vaults, which cannot be compared; their endings can.

/// The ending of an unlock or a change of PIN.
enum Ending: Hashable {
    case unlocked(Authenticator)
    case changed
    case cancelled
    case waiting(Duration, triesLeft: Int)
    case blocked(Unblocking)
    case erased
    case missing
}

extension UnlockResult {
    var ending: Ending {
        switch outcome {
        case .unlocked(_, let authenticator): .unlocked(authenticator)
        case .cancelled: .cancelled
        case .waiting(let time, let triesLeft): .waiting(time, triesLeft: triesLeft)
        case .blocked(let unblocking): .blocked(unblocking)
        case .erased: .erased
        case .missing: .missing
        }
    }

    var open: OpenVault? {
        guard case .unlocked(let open, _) = outcome else { return nil }
        return open
    }
}

extension NewPinResult {
    var ending: Ending {
        switch outcome {
        case .changed: .changed
        case .cancelled: .cancelled
        case .waiting(let time, let triesLeft): .waiting(time, triesLeft: triesLeft)
        case .blocked(let unblocking): .blocked(unblocking)
        case .erased: .erased
        case .missing: .missing
        }
    }

    var open: OpenVault? {
        guard case .changed(let open) = outcome else { return nil }
        return open
    }
}
