public import Nightlatch

extension KeyDerivationParameters {
    /// Fast and worthless: for tests alone. A vault takes it only with ``Nightlatch/KeyDerivationBounds/forTests``.
    public static let cheap = KeyDerivationParameters.pbkdf2(iterations: 1)

    /// Argon2id, fast and worthless: for tests alone, like ``cheap``.
    public static let cheapArgon2id = KeyDerivationParameters.argon2id(memoryKibibytes: 8, passes: 1, lanes: 1)
}

extension KeyDerivationBounds {
    /// Lets ``Nightlatch/KeyDerivationParameters/cheap`` and ``Nightlatch/KeyDerivationParameters/cheapArgon2id`` pass, with the
    /// standard ceilings.
    public static let forTests = KeyDerivationBounds(
        argon2id: Argon2idBounds(
            memoryKibibytes: 8...1024 * 1024, filledKibibytes: 8...16 * 1024 * 1024, lanes: 1...4),
        pbkdf2Iterations: 1...10_000_000)
}
