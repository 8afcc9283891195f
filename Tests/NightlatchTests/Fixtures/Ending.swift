import Nightlatch
import Testing

// Results carry open vaults, which are not compared; how they ended is.

/// How an unlocking or a change of PIN ended.
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
