public import Nightlatch

extension KeyDerivationParameters {
    /// Fast and worthless: for tests alone. A vault takes it only with ``Nightlatch/KeyDerivationBounds/forTests``.
    public static let cheap = KeyDerivationParameters.pbkdf2(iterations: 1)
}

extension KeyDerivationBounds {
    /// Lets ``Nightlatch/KeyDerivationParameters/cheap`` pass.
    public static let forTests = KeyDerivationBounds(iterations: 1...10_000_000)
}
