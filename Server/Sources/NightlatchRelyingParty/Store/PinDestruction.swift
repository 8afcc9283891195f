package import NightlatchWire

/// The destruction of the keys of a device's two-party PIN. The store writes ``state``, and appends ``event`` if it is
/// not nil.
package struct PinDestruction: Hashable, Sendable {
    package let state: PinHardening
    /// Nil if nothing was destroyed. In that case, ``state`` differs from the stored state in one time. It was in the
    /// future, because it was written while the clock was ahead, and is now the current time.
    package let event: PinStepResult.Event?
    /// Whether the stored state was unreadable.
    package let isOfDamaged: Bool

    /// The destruction for a device that is revoked or replaced; nil if the device has no keys.
    ///
    /// An unreadable state is treated as a state with keys, so that it does not prevent the revocation.
    package init?(ofStopped stored: [UInt8], by actor: ActingParty, at now: NumericDate) {
        self.init(of: stored, by: actor, at: now) { state in state.destroy() }
    }

    /// The destruction for a device whose last guess was not proved in time; nil if nothing changes.
    ///
    /// An unreadable state is treated as a state whose last guess was not proved in time.
    package init?(ofDue stored: [UInt8], guessLimit: Int, at now: NumericDate) {
        self.init(of: stored, by: .server, at: now) { state in state.destroyIfDue(at: now, limit: guessLimit) }
    }

    private init?(
        of stored: [UInt8],
        by actor: ActingParty,
        at now: NumericDate,
        _ destroy: (inout PinHardening) -> Bool
    ) {
        var left: PinHardening
        var isDestroyed = true
        var isOfDamaged = false
        do {
            let before = try PinHardening(stored: stored)
            left = before
            isDestroyed = destroy(&left)
            guard left != before else { return nil }
        } catch {
            left = .lost(at: now)
            isOfDamaged = true
        }
        state = left
        self.isOfDamaged = isOfDamaged
        event = isDestroyed ? PinStepResult.Event(.pinKeysDestroyed, by: actor) : nil
    }
}

extension PinHardening {
    /// Destroys all keys and begins a new window, because the charged guesses belong to these keys.
    ///
    /// - Returns: Whether there were any keys.
    package mutating func destroy() -> Bool {
        guard current != nil || candidate != nil else { return false }
        current = nil
        candidate = nil
        guesses = []
        unexplained = []
        exhaustedAt = nil
        window = window.next
        isCodeRequired = true
        return true
    }

    /// Destroys all keys if the last guess of a window of `limit` guesses was not proved in time.
    ///
    /// If the limit was raised since, guesses are left, and nothing is destroyed. A guess that was charged while the
    /// clock was ahead counts as charged now.
    ///
    /// - Returns: Whether any keys were destroyed.
    package mutating func destroyIfDue(at now: NumericDate, limit: Int) -> Bool {
        exhaustedAt = exhaustedAt.map { min($0, now) }
        guard let exhaustedAt, exhaustedAt + Self.lastGuessLife < now, count >= limit else { return false }
        return destroy()
    }

    /// The state of a device whose stored state is lost: it has no keys, and only the device key with an enrolment code
    /// can open an epoch.
    ///
    /// Its epoch and window numbers begin at the current Unix time in seconds, which is higher than any number in use,
    /// so no number is used twice.
    fileprivate static func lost(at now: NumericDate) -> Self {
        var state = Self()
        state.nextEpoch = PinEpoch(rawValue: now.secondsSince1970) ?? .first
        state.window = PinWindow(rawValue: now.secondsSince1970) ?? .first
        state.isCodeRequired = true
        return state
    }
}
