import NightlatchWire

/// The refresh tokens that came of one login, as ``MemoryStore`` keeps them.
struct RefreshFamily {
    let id: RefreshFamilyID
    let device: DeviceID
    let possessionKey: KeyID
    let authentication: Authentication
    /// The token that was issued last. Nobody has used it.
    private var current: RefreshTokenHash
    /// The token that `current` was issued for. It is good until `current` is used.
    private var previous: RefreshTokenHash?
    private(set) var expiresAt: NumericDate

    init(_ login: NewLogin, now: NumericDate) {
        id = login.refreshFamily
        device = login.device
        possessionKey = login.possessionKey
        authentication = login.authentication
        current = login.refreshToken
        expiresAt = now + login.refreshLife
    }

    /// The tokens that can be presented.
    var usableTokens: Set<RefreshTokenHash> { Set([current, previous].compactMap(\.self)) }

    /// Puts the successor in place; false if the presented token had been replaced for good or voided.
    mutating func rotate(_ rotation: RefreshRotation, now: NumericDate) -> Bool {
        guard rotation.presented == current || rotation.presented == previous else { return false }
        previous = rotation.presented
        current = rotation.successor
        expiresAt = now + rotation.refreshLife
        return true
    }
}
