import NightlatchWire

/// The refresh tokens that came of one login, as ``MemoryStore`` keeps them.
struct RefreshFamily {
    let possessionKey: KeyID
    /// Every token that the family ever had, by which reuse is seen.
    private(set) var tokens: Set<RefreshTokenHash>
    /// The token that was issued last. Nobody has used it.
    private var current: RefreshTokenHash
    /// The token that `current` was issued for. It is good until `current` is used.
    private var previous: RefreshTokenHash?
    private(set) var expiresAt: NumericDate

    init(possessionKey: KeyID, first: RefreshTokenHash, expiresAt: NumericDate) {
        self.possessionKey = possessionKey
        tokens = [first]
        current = first
        self.expiresAt = expiresAt
    }

    /// Puts the successor in place; false if the presented token had been replaced for good or voided.
    mutating func rotate(_ rotation: RefreshRotation, now: NumericDate) -> Bool {
        guard rotation.presented == current || rotation.presented == previous else { return false }
        previous = rotation.presented
        current = rotation.successor
        tokens.insert(rotation.successor)
        expiresAt = now + rotation.refreshLife
        return true
    }
}
