import Dispatch
import Foundation
import NightlatchArgon2
package import NightlatchWire
import Synchronization

/// Hashes passwords one at a time: a derivation takes memory, a processor core and tens of milliseconds.
///
/// A caller reserves a slot first. ``PasswordHasherPlaces`` shares the slots between callers, and refuses a caller
/// without a slot before any work is done. ``PasswordQueue`` orders the derivations, so that no caller waits for all
/// derivations of another caller.
package struct PasswordHasher: Sendable {
    private let hashing: PasswordHashing
    private let thread = DispatchQueue(label: "nightlatch.passwords")
    private let waiting = WaitingDerivations()
    private let places: PasswordHasherPlaces

    package init(_ hashing: PasswordHashing) {
        self.hashing = hashing
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

    /// Whether `stored` is the hash of `password`.
    ///
    /// - Throws: ``Refusal`` `overloaded` if there is too little memory; `store` with `unavailable` if the hash was
    ///   imported and this system cannot check it.
    package func verify(
        _ password: Password,
        against stored: StoredPassword,
        at place: PasswordHasherPlace
    ) async throws(Refusal) -> Bool {
        if let imported = stored.imported {
            switch await run(at: place, { imported.check(password) }) {
            case .right: return true
            case .wrong: return false
            case .noMemory: throw .overloaded
            case .unsupported: throw .store(RelyingPartyStoreError(.unavailable))
            }
        }
        let parameters = try Self.parameters(stored.memoryKibibytes, stored.passes, stored.lanes)
        let hash = try await derive(password, salt: stored.salt, parameters, at: place)
        return ConstantTime.isEqual(Base64URL.encode(hash), Base64URL.encode(stored.hash))
    }

    /// The new hash of `password` if `stored` was imported, or made with other parameters than the current ones;
    /// otherwise nil.
    func raised(
        _ password: Password,
        from stored: StoredPassword,
        at place: PasswordHasherPlace
    ) async throws(Refusal) -> StoredPassword? {
        let isCurrent =
            (stored.memoryKibibytes, stored.passes, stored.lanes)
            == (hashing.memoryKibibytes, hashing.passes, hashing.lanes) && stored.imported == nil
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
        let hash = await run(at: place) { Self.derive(password, salt: salt, parameters) }
        guard let hash else { throw .overloaded }
        return hash
    }

    /// Runs a derivation when its turn has come.
    private func run<Value: Sendable>(
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

    /// Returns nil if there is not enough memory.
    private static func derive(_ password: Password, salt: [UInt8], _ parameters: Argon2id.Parameters) -> [UInt8]? {
        // Normalised, so that the same password has the same bytes however it was typed (NIST SP 800-63B-4, section
        // 3.1.1.2).
        let bytes = Array(password.rawValue.precomposedStringWithCompatibilityMapping.utf8)
        var hash = [UInt8](repeating: 0, count: 32)
        do {
            var memory = try Argon2id.Memory(for: parameters)
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe salt.withUnsafeBytes { salt in
                    unsafe hash.withUnsafeMutableBytes { hash in
                        unsafe memory.deriveKey(from: bytes, salt: salt, into: hash)
                    }
                }
            }
        } catch {
            return nil
        }
        return hash
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
