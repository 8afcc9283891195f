import Dispatch
import Foundation
import NightlatchArgon2
package import NightlatchWire
import Synchronization

/// Hashes passwords one at a time: a derivation takes memory, a processor core and tens of milliseconds.
///
/// Checks of imported hashes may cost several times as much. They are made beside the other derivations, also one at a
/// time, so that no user with a hash of this server waits for them.
///
/// A caller reserves a slot first. ``PasswordHasherPlaces`` shares the slots between callers, and refuses a caller
/// without a slot before any work is done. ``PasswordQueue`` orders the derivations, so that no caller waits for all
/// derivations of another caller.
package struct PasswordHasher: Sendable {
    private let hashing: PasswordHashing
    private let own = DerivationLine(label: "nightlatch.passwords")
    private let imported = DerivationLine(label: "nightlatch.passwords.imported")
    private let places: PasswordHasherPlaces
    private let checkImported: @Sendable (ImportedPasswordHash, Password) -> ImportedPasswordHash.Check

    package init(_ hashing: PasswordHashing) {
        self.init(hashing) { hash, password in hash.check(password) }
    }

    /// - Parameter checkImported: Checks a password against an imported hash. Tests replace it.
    package init(
        _ hashing: PasswordHashing,
        checkImported: @escaping @Sendable (ImportedPasswordHash, Password) -> ImportedPasswordHash.Check
    ) {
        self.hashing = hashing
        self.checkImported = checkImported
        places = PasswordHasherPlaces(limit: hashing.waitingLimit)
    }

    /// Reserves a slot for one password.
    ///
    /// - Throws: ``Refusal`` `overloaded` if no slot is free.
    package func place(for caller: PasswordHasherPlace.Caller) throws(Refusal) -> PasswordHasherPlace {
        guard let place = places.take(for: caller) else { throw .overloaded }
        return place
    }

    /// A random password hash for users without a password: testing against it costs the same derivation.
    var decoy: StoredPassword {
        StoredPassword(
            hash: RandomBytes.make(count: 32), salt: RandomBytes.make(count: 16),
            memoryKibibytes: hashing.memoryKibibytes, passes: hashing.passes, lanes: hashing.lanes)
    }

    /// Hashes `password` with a new salt, for storage.
    package func hash(
        _ password: Password,
        at place: PasswordHasherPlace
    ) async throws(Refusal) -> StoredPassword {
        let salt = RandomBytes.make(count: 16)
        let parameters = try Self.parameters(hashing.memoryKibibytes, hashing.passes, hashing.lanes)
        return StoredPassword(
            hash: try await derive(password, salt: salt, parameters, at: place), salt: salt,
            memoryKibibytes: hashing.memoryKibibytes, passes: hashing.passes, lanes: hashing.lanes)
    }

    /// The result of ``verify(_:against:at:)``.
    package enum Verification: Hashable, Sendable {
        case right
        case wrong
        /// The hash was imported, and this system lacks bcrypt or the memory to check it. A derivation for
        /// ``decoy`` was made instead.
        case notTested
    }

    /// Whether `stored` is the hash of `password`.
    ///
    /// - Throws: ``Refusal`` `overloaded` if there is too little memory for a derivation of this server; `store` with
    ///   `corrupt` if the stored parameters are none.
    package func verify(
        _ password: Password,
        against stored: StoredPassword,
        at place: PasswordHasherPlace
    ) async throws(Refusal) -> Verification {
        if let hash = stored.imported {
            switch await imported.run(at: place, { [checkImported] in checkImported(hash, password) }) {
            case .right: return .right
            case .wrong: return .wrong
            case .corrupt: throw .store(RelyingPartyStoreError(.corrupt))
            case .noMemory, .unsupported:
                _ = try await verify(password, against: decoy, at: place)
                return .notTested
            }
        }
        let parameters = try Self.parameters(stored.memoryKibibytes, stored.passes, stored.lanes)
        let hash = try await derive(password, salt: stored.salt, parameters, at: place)
        return ConstantTime.isEqual(Base64URL.encode(hash), Base64URL.encode(stored.hash)) ? .right : .wrong
    }

    /// The new hash of `password` if `stored` was imported, or made with other parameters than the current ones;
    /// otherwise nil.
    ///
    /// Nil also if the imported hash ignores the end of the password. A mistyped end would become the password.
    func raised(
        _ password: Password,
        from stored: StoredPassword,
        at place: PasswordHasherPlace
    ) async throws(Refusal) -> StoredPassword? {
        if let imported = stored.imported {
            return imported.covers(password) ? try await hash(password, at: place) : nil
        }
        let isCurrent =
            (stored.memoryKibibytes, stored.passes, stored.lanes)
            == (hashing.memoryKibibytes, hashing.passes, hashing.lanes)
        return isCurrent ? nil : try await hash(password, at: place)
    }

    private static func parameters(_ memory: Int, _ passes: Int, _ lanes: Int) throws(Refusal) -> Argon2id.Parameters {
        guard let parameters = Argon2id.Parameters(memoryKibibytes: memory, passes: passes, lanes: lanes) else {
            throw .store(RelyingPartyStoreError(.corrupt))
        }
        return parameters
    }

    private func derive(
        _ password: Password,
        salt: [UInt8],
        _ parameters: Argon2id.Parameters,
        at place: PasswordHasherPlace
    ) async throws(Refusal) -> [UInt8] {
        let hash = await own.run(at: place) { Self.derive(password, salt: salt, parameters) }
        guard let hash else { throw .overloaded }
        return hash
    }

    /// Returns nil if there is not enough memory.
    private static func derive(_ password: Password, salt: [UInt8], _ parameters: Argon2id.Parameters) -> [UInt8]? {
        // Normalised, so that the same password has the same bytes however it was typed (NIST SP 800-63B-4, section
        // 3.1.1.2).
        let bytes = Array(password.rawValue.precomposedStringWithCompatibilityMapping.utf8)
        return Argon2id.hash(bytes, salt: salt, parameters, byteCount: 32)
    }
}

/// A thread for derivations, one at a time.
private struct DerivationLine: Sendable {
    private let thread: DispatchQueue
    private let waiting = WaitingDerivations()

    init(label: String) { thread = DispatchQueue(label: label) }

    /// Runs a derivation when its turn has come.
    func run<Value: Sendable>(
        at place: PasswordHasherPlace,
        _ derivation: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            waiting.add(of: place.caller) {
                // The derivation keeps the slot even if the caller frees it earlier.
                let value = withExtendedLifetime(place) { derivation() }
                continuation.resume(returning: value)
            }
            // Runs the derivation that is first in the queue by then, which may be another caller's.
            thread.async { waiting.next()?() }
        }
    }
}

/// The derivations that have not begun.
private final class WaitingDerivations: Sendable {
    private let queue = Mutex(PasswordQueue<@Sendable () -> Void>())

    func add(of caller: PasswordHasherPlace.Caller, _ derivation: @escaping @Sendable () -> Void) {
        queue.withLock { $0.add(derivation, of: caller) }
    }

    func next() -> (@Sendable () -> Void)? { queue.withLock { $0.next() } }
}
