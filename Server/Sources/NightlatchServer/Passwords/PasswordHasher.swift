import Dispatch
import Foundation
import NightlatchArgon2
package import NightlatchWire

/// Hashes passwords, one after the other: a derivation takes memory, a core and tens of milliseconds.
package actor PasswordHasher {
    /// How many may wait. More are sent away at once, so that they take no more than what is there.
    private static let waitingLimit = 32

    private let hashing: PasswordHashing
    private let queue = DispatchQueue(label: "nightlatch.passwords")
    private var waitingCount = 0

    package init(_ hashing: PasswordHashing) {
        self.hashing = hashing
    }

    /// A password that nobody has, for users that have none: its derivation costs what another's does.
    nonisolated var decoy: StoredPassword {
        StoredPassword(
            hash: RandomBytes.make(count: 32), salt: RandomBytes.make(count: 16),
            memoryKibibytes: hashing.memoryKibibytes, passes: hashing.passes, lanes: hashing.lanes)
    }

    /// `password` as it is to be stored, with a new salt.
    package func hash(_ password: Password) async throws(Refusal) -> StoredPassword {
        let salt = RandomBytes.make(count: 16)
        let parameters = try Self.parameters(hashing.memoryKibibytes, hashing.passes, hashing.lanes)
        return StoredPassword(
            hash: try await derive(password, salt: salt, parameters), salt: salt,
            memoryKibibytes: hashing.memoryKibibytes, passes: hashing.passes, lanes: hashing.lanes)
    }

    /// Whether `stored` was made of `password`.
    package func verify(_ password: Password, against stored: StoredPassword) async throws(Refusal) -> Bool {
        let parameters = try Self.parameters(stored.memoryKibibytes, stored.passes, stored.lanes)
        let hash = try await derive(password, salt: stored.salt, parameters)
        return ConstantTime.isEqual(Base64URL.encode(hash), Base64URL.encode(stored.hash))
    }

    /// `password` hashed anew, if `stored` was made with other parameters than passwords are now.
    func raised(_ password: Password, from stored: StoredPassword) async throws(Refusal) -> StoredPassword? {
        let isCurrent =
            (stored.memoryKibibytes, stored.passes, stored.lanes)
            == (hashing.memoryKibibytes, hashing.passes, hashing.lanes)
        return isCurrent ? nil : try await hash(password)
    }

    private static func parameters(_ memory: Int, _ passes: Int, _ lanes: Int) throws(Refusal) -> Argon2id.Parameters {
        guard let parameters = Argon2id.Parameters(memoryKibibytes: memory, passes: passes, lanes: lanes) else {
            throw .store(StoreError(.corrupt))
        }
        return parameters
    }

    private func derive(
        _ password: Password,
        salt: [UInt8],
        _ parameters: Argon2id.Parameters
    ) async throws(Refusal) -> [UInt8] {
        guard waitingCount < Self.waitingLimit else { throw .overloaded }
        waitingCount += 1
        defer { waitingCount -= 1 }
        let hash: [UInt8]? = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Self.derive(password, salt: salt, parameters)) }
        }
        guard let hash else { throw .overloaded }
        return hash
    }

    /// Nil if there is no memory for it.
    private static func derive(_ password: Password, salt: [UInt8], _ parameters: Argon2id.Parameters) -> [UInt8]? {
        // However it was typed, the same password has the same bytes (NIST SP 800-63B-4, section 3.1.1.2).
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
