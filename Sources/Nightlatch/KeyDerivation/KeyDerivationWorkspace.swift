import NightlatchArgon2

/// What one stretching of a PIN needs, had before an attempt is charged: memory for Argon2id, nothing for PBKDF2.
///
/// What it has is wiped and given back when it is done with.
enum KeyDerivationWorkspace: ~Copyable, Sendable {
    case argon2id(Argon2id.Memory)
    case pbkdf2(iterations: Int)
}

extension KeyDerivationParameters {
    /// Takes what stretching a PIN with these parameters needs. It runs off the caller's actor, since memory is touched to be had.
    ///
    /// - Throws: ``KeyDerivationFailure/memoryUnavailable(byteCount:)``, or ``KeyDerivationFailure/impossibleParameters``.
    @concurrent
    func prepare() async throws(KeyDerivationFailure) -> KeyDerivationWorkspace { try prepareNow() }

    /// As ``prepare()``, on the thread that calls.
    func prepareNow() throws(KeyDerivationFailure) -> KeyDerivationWorkspace {
        switch self {
        case .argon2id(let memoryKibibytes, let passes, let lanes):
            guard let cost = Argon2id.Parameters(memoryKibibytes: memoryKibibytes, passes: passes, lanes: lanes) else {
                throw .impossibleParameters
            }
            do throws(Argon2id.MemoryUnavailable) {
                return .argon2id(try Argon2id.Memory(for: cost))
            } catch {
                throw .memoryUnavailable(byteCount: error.byteCount)
            }
        case .pbkdf2(let iterations): return .pbkdf2(iterations: iterations)
        }
    }
}
