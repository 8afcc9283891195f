package import NightlatchWire

/// What a store does where the keys of a device's two-party PIN are to be destroyed: it keeps ``state``, and appends ``event`` if there is one.
package struct PinDestruction: Hashable, Sendable {
    package let state: PinHardening
    /// Nil if nothing was destroyed: the state had a time of the future, of a clock that was ahead, and has the present one now.
    package let event: PinStepResult.Event?
    /// Whether nobody could read what was there.
    package let isOfDamaged: Bool

    /// For a device that is barred for good; nil if it has no keys. What cannot be read is taken for keys, so that it keeps no device
    /// from being revoked.
    package init?(ofBarred stored: [UInt8], by actor: ActingParty, at now: NumericDate) {
        self.init(of: stored, by: actor, at: now) { state in state.destroy() }
    }

    /// For a device whose last guess may have been left unproved for too long; nil if it was not. What cannot be read is taken for keys of one.
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
    /// Destroys all keys. What was charged was charged for them, so a new window begins.
    ///
    /// - Returns: Whether there were any.
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

    /// Destroys all keys if the last guess of a window of `limit` was left unproved for too long. A limit that was raised since leaves guesses,
    /// and then nothing is due. A guess that was charged while the clock was ahead counts as charged now.
    ///
    /// - Returns: Whether there were any.
    package mutating func destroyIfDue(at now: NumericDate, limit: Int) -> Bool {
        exhaustedAt = exhaustedAt.map { min($0, now) }
        guard let exhaustedAt, exhaustedAt + Self.lastGuessLife < now, count >= limit else { return false }
        return destroy()
    }

    /// The state of a device of which nothing is known any more: without keys, and open to full credentials alone. Its numbers begin at the second of
    /// the clock, where no counting has come: so none is given twice.
    fileprivate static func lost(at now: NumericDate) -> Self {
        var state = Self()
        state.nextEpoch = PinEpoch(rawValue: now.secondsSince1970) ?? .first
        state.window = PinWindow(rawValue: now.secondsSince1970) ?? .first
        state.isCodeRequired = true
        return state
    }
}
