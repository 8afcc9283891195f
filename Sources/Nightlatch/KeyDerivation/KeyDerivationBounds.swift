/// The key derivation parameters that are accepted when a record is read.
///
/// Below the floor, a record that an attacker wrote would make guessing cheap. Above the ceiling, it would freeze the
/// app. Both are refused before an attempt is charged.
public struct KeyDerivationBounds: Hashable, Sendable {
    let argon2id: Argon2idBounds
    let pbkdf2Iterations: ClosedRange<Int>

    /// Argon2id from 7 MiB to 1 GiB with 1 to 4 lanes, whose passes fill 35 MiB to 16 GiB in all; PBKDF2 from 100,000
    /// to 10,000,000 iterations.
    ///
    /// The floor of Argon2id is the cheapest of the settings that the OWASP Password Storage Cheat Sheet treats as
    /// equivalent, 7 MiB with five passes. The others are above it: 46 MiB with one pass, 19 MiB with two and 12 MiB
    /// with three. The ceiling prevents an unlock that needs all of the device's memory or takes several minutes.
    public static let standard = KeyDerivationBounds(
        argon2id: .standard, pbkdf2Iterations: 100_000...10_000_000)

    /// Creates bounds other than the standard ones. They are for tests, through the testing module.
    package init(argon2id: Argon2idBounds, pbkdf2Iterations: ClosedRange<Int>) {
        self.argon2id = argon2id
        self.pbkdf2Iterations = pbkdf2Iterations
    }

    /// Whether `parameters` are within the bounds.
    public func contain(_ parameters: KeyDerivationParameters) -> Bool {
        switch parameters {
        case .argon2id(let memoryKibibytes, let passes, let lanes):
            argon2id.contain(memoryKibibytes: memoryKibibytes, passes: passes, lanes: lanes)
        case .pbkdf2(let iterations): pbkdf2Iterations.contains(iterations)
        }
    }
}
