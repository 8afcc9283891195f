import NightlatchArgon2

/// The resources for stretching one PIN, allocated before an attempt is charged: memory for Argon2id, nothing for
/// PBKDF2.
///
/// The memory is wiped and freed after use.
enum KeyDerivationWorkspace: ~Copyable, Sendable {
    case argon2id(Argon2id.Memory)
    case pbkdf2(iterations: Int)
}

extension KeyDerivationParameters {
    /// Allocates the resources for stretching a PIN with these parameters.
    ///
    /// It writes to each page of the memory to make sure that the memory is available. This takes time, so it runs off
    /// the caller's actor.
    ///
    /// - Throws: ``KeyDerivationFailure/memoryUnavailable(byteCount:)``, or
    ///   ``KeyDerivationFailure/impossibleParameters``.
    @concurrent
    func prepare() async throws(KeyDerivationFailure) -> KeyDerivationWorkspace { try prepareNow() }

    /// Does the same as ``prepare()``, on the calling thread.
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
