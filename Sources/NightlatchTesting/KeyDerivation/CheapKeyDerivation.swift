public import Nightlatch

extension KeyDerivationParameters {
    /// PBKDF2 with one round: fast and insecure, for tests only. A vault accepts it only with
    /// ``Nightlatch/KeyDerivationBounds/forTests``.
    public static let cheap = KeyDerivationParameters.pbkdf2(iterations: 1)

    /// Argon2id with the least cost: fast and insecure, for tests only, like ``cheap``.
    public static let cheapArgon2id = KeyDerivationParameters.argon2id(memoryKibibytes: 8, passes: 1, lanes: 1)
}

extension KeyDerivationBounds {
    /// Bounds that allow ``Nightlatch/KeyDerivationParameters/cheap`` and
    /// ``Nightlatch/KeyDerivationParameters/cheapArgon2id``, with the standard upper limits.
    public static let forTests = KeyDerivationBounds(
        argon2id: Argon2idBounds(
            memoryKibibytes: 8...1024 * 1024, filledKibibytes: 8...16 * 1024 * 1024, lanes: 1...4),
        pbkdf2Iterations: 1...10_000_000)
}
