public import NightlatchWire

/// Why a hardener gave nothing.
public enum PinHardenerError: Error, Hashable, Sendable {
    /// There was no answer, or no decision (``RelyingPartyError``): ask the same again. Without the other side no PIN opens the vault.
    case unavailable(RelyingPartyError)
    /// The answer was not made with the key that was pinned. Nothing was derived from it. Somebody is in between, or the other side has
    /// lost the key.
    case notGenuine
    /// The epoch is not live. If another slot of the device is the current one, that is to be used.
    case epochPassed(PinStanding)
    /// No epoch can be opened with this key while there is a candidate that another key of the device has opened: have that key abandon it.
    case candidateOpen(PinStanding)
    /// The guesses are used up and the keys destroyed: no PIN opens the vault any more. Open it another way, and set a new PIN by full
    /// credentials.
    case destroyed
    /// The device had an epoch before, so a new one takes an enrolment code.
    case codeNeeded
    /// The other side has decided against it, and says why: a device that was revoked or blocked, a code that is not good.
    case refused(RelyingPartyRefusal)
    /// The key that was to sign could not be used.
    case key(DeviceKeyError)
    /// The hardener does not serve this device: the slot belongs to another relying party, or to a chip.
    case elsewhere(HardenedDevice)
    /// The chip tries no PIN for now, the right one neither, and has not tried this one: too many were wrong. Nil where waiting does not
    /// end that: somebody who looks after the machine can. A vault turns a time into ``PinRefusal/waiting(_:triesLeft:)``.
    case lockedOut(wait: Duration?)
    /// The chip had no part in it (``PinChipError``).
    case chip(PinChipError)
    /// The caller's task was cancelled.
    case cancelled

    /// Whether nobody was there to answer. A side that answers and does not decide, since it has too much to do for instance, was reached.
    var isUnreachable: Bool {
        guard case .unavailable(.unreachable) = self else { return false }
        return true
    }

    /// Whether the other side says that this device, or its slot, is not good any more: what it still can do alone is to end.
    var endsLocalTier: Bool {
        switch self {
        case .refused, .epochPassed: true
        case .unavailable, .notGenuine, .candidateOpen, .destroyed, .codeNeeded, .key, .elsewhere, .lockedOut, .chip,
            .cancelled:
            false
        }
    }

    /// Whether the other side has said that the epoch it was asked for is no more. It says nothing of another one's slot; and of a guess that
    /// may have been charged only this says that it is worth nothing: after anything else it can be asked for again, uncharged.
    package var endsEpoch: Bool {
        switch self {
        case .epochPassed, .destroyed: true
        case .unavailable, .notGenuine, .candidateOpen, .codeNeeded, .refused, .key, .elsewhere, .lockedOut, .chip,
            .cancelled:
            false
        }
    }

    /// Whether the other side, or this one before it asked, has decided: nothing was charged, for sure.
    package var isDecision: Bool {
        switch self {
        case .unavailable, .notGenuine, .chip, .cancelled: false
        case .epochPassed, .candidateOpen, .destroyed, .codeNeeded, .refused, .key, .elsewhere, .lockedOut: true
        }
    }
}
