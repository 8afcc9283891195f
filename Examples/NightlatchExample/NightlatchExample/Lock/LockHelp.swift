import Nightlatch
import NightlatchUI

/// Decides what the locked screen offers besides the pad, by the end of the last question.
struct LockHelp: Hashable {
    /// To open the vault with its recovery phrase.
    var offersPhrase = false
    /// To remove the profile from this device, and to register with a new code.
    var offersNewStart = false

    init(after end: PinPadEnd?) {
        switch end {
        case .blocked(.recoveryPhrase): (offersPhrase, offersNewStart) = (true, true)
        case .blocked(.newCredentials), .erased: offersNewStart = true
        // The store may find the vault later. After a move to another device it never does.
        case .missing: offersNewStart = true
        // The lock's own button asks again.
        case nil, .unlocked, .pinSet, .cancelled, .failed: break
        }
    }
}
