public import NightlatchWire

/// An error of a hardener.
public enum PinHardenerError: Error, Hashable, Sendable {
    /// There was no answer, or no decision (``RelyingPartyError``): send the same request again. Without the hardener,
    /// no PIN opens the vault.
    case unavailable(RelyingPartyError)
    /// The answer was not made with the pinned key. Nothing was derived from it. An attacker may have sent it, or the
    /// hardener has lost the key.
    case notGenuine
    /// The epoch is not live. If another slot of the device is current, use that slot.
    case epochPassed(PinStanding)
    /// The opener's key cannot open an epoch, because another key of the device has opened a candidate. Abandon the
    /// candidate with the other key.
    case candidateOpen(PinStanding)
    /// The guesses are used up and the keys destroyed: no PIN opens the vault any more. Open it with another slot, and
    /// set a new PIN with full credentials.
    case destroyed
    /// The device had an epoch before, so a new one needs an enrolment code.
    case codeNeeded
    /// The hardener has refused and gives the reason, for example a device that was revoked or blocked, or a code that
    /// is not valid.
    case refused(RelyingPartyRefusal)
    /// The signing key could not be used.
    case key(DeviceKeyError)
    /// The hardener does not serve this device: the slot belongs to another relying party, or to a chip.
    case elsewhere(HardenedDevice)
    /// The hardener tries no PIN for now, not even the right one, and has not tried this PIN: too many PINs were wrong.
    /// Nothing was charged.
    ///
    /// A relying party always gives the wait. A chip gives nil if waiting does not end this; an administrator of the
    /// machine can end it. `triesLeft` is the hardener's own number of guesses after the wait; nil if it gives none. A
    /// vault converts a known wait to ``PinRefusal/waiting(_:triesLeft:)``, with the lower number of attempts.
    case lockedOut(wait: Duration?, triesLeft: Int? = nil)
    /// The chip reported an error.
    case chip(PinChipError)
    /// The record of the keys that the chip has sealed could not be read or written.
    case store(StoreError)
    /// The caller's task was cancelled.
    case cancelled

    /// Whether the hardener gave no answer at all. A hardener that answers without deciding, for example because it is
    /// busy, was reached.
    var isUnreachable: Bool {
        guard case .unavailable(.unreachable) = self else { return false }
        return true
    }

    /// Whether the hardener says that this device or its slot is not valid any more. Then the local tier must end too.
    var endsLocalTier: Bool {
        switch self {
        case .refused, .epochPassed: true
        case .unavailable, .notGenuine, .candidateOpen, .destroyed, .codeNeeded, .key, .elsewhere, .lockedOut, .chip,
            .store, .cancelled:
            false
        }
    }

    /// Whether the hardener has said that the slot of the request opens nothing any more, for example because the
    /// device was revoked or its record is lost. The device must be bound again, or get a new PIN.
    var endsSlot: Bool {
        switch self {
        case .destroyed, .epochPassed: true
        case .refused(let refusal):
            refusal.code.endsBinding || refusal.code == .messageRefused || refusal.code == .pinNotEnrolled
        case .unavailable, .notGenuine, .candidateOpen, .codeNeeded, .key, .elsewhere, .lockedOut, .chip, .store,
            .cancelled:
            false
        }
    }

    /// Whether the hardener has said that the epoch of the request is over.
    ///
    /// The error says nothing about another epoch's slot. After this error, a guess that may have been charged is
    /// worthless. After any other error, the same guess can be sent again without a charge.
    package var endsEpoch: Bool {
        switch self {
        case .epochPassed, .destroyed: true
        case .unavailable, .notGenuine, .candidateOpen, .codeNeeded, .refused, .key, .elsewhere, .lockedOut, .chip,
            .store, .cancelled:
            false
        }
    }

    /// Whether the guess of the request is worthless or was never charged, so that a hardener need not remember it.
    ///
    /// A relying party answers a guess that it has charged, also during a wait. So a guess that gets a wait was not
    /// charged.
    package var forgetsGuess: Bool {
        if case .lockedOut = self { true } else { endsEpoch }
    }

    /// Whether the hardener, or the client before asking it, has decided, so that nothing was charged.
    package var isDecision: Bool {
        switch self {
        case .unavailable, .notGenuine, .chip, .store, .cancelled: false
        case .epochPassed, .candidateOpen, .destroyed, .codeNeeded, .refused, .key, .elsewhere, .lockedOut: true
        }
    }
}
