import CNightlatchCrypt
import CryptoExtras
import Foundation
import NightlatchArgon2
package import NightlatchWire

extension ImportedPasswordHash {
    /// The result of checking a password against an imported hash.
    package enum Check: Hashable, Sendable {
        case right
        case wrong
        /// There is too little memory for the derivation.
        case noMemory
        /// This system has no bcrypt.
        case unsupported
        /// A function refuses the parameters, which parsing should have refused.
        case corrupt
    }

    /// Checks a password. It takes one derivation, whose cost ``ImportedPasswordHash`` bounds.
    ///
    /// Only the bytes that the user's device has sent are tried, because most systems hash these. A second try with
    /// the normal form would let a stranger double the work by the choice of the password.
    package func check(_ password: Password) -> Check {
        let sent = Array(password.rawValue.utf8)
        return switch recipe {
        case .argon2id(let recipe): recipe.check(sent)
        case .bcrypt(let recipe): recipe.check(sent)
        case .pbkdf2(let recipe): recipe.check(sent)
        }
    }

    /// Whether the hash depends on all of the password: bcrypt ignores what follows the first 72 bytes.
    func covers(_ password: Password) -> Bool {
        form != .bcrypt || password.rawValue.utf8.count <= 72
    }

    /// Whether this system can check the hash.
    package var isSupported: Bool { form != .bcrypt || Self.isBcryptSupported }

    /// Whether this system can check hashes of bcrypt.
    package static var isBcryptSupported: Bool { BcryptHash.isSupported }
}

extension ImportedPasswordHash.Argon2idHash {
    fileprivate func check(_ password: [UInt8]) -> ImportedPasswordHash.Check {
        let parameters = Argon2id.Parameters(memoryKibibytes: memoryKibibytes, passes: passes, lanes: lanes)
        guard let parameters else { return .corrupt }
        guard let found = Argon2id.hash(password, salt: salt, parameters, byteCount: hash.count) else {
            return .noMemory
        }
        return isEqual(found, hash) ? .right : .wrong
    }
}

extension ImportedPasswordHash.BcryptHash {
    /// Whether this system has bcrypt: whether it gives the known hash of an empty password.
    fileprivate static let isSupported =
        Self(cost: "04", salt: "CCCCCCCCCCCCCCCCCCCCC.", hash: "Cg0ly9t/KVBCBYYDfOmZKwry9JuXClC").check([]) == .right

    fileprivate func check(_ password: [UInt8]) -> ImportedPasswordHash.Check {
        // A zero byte would end the password early. No `Password` has one.
        guard !password.contains(0) else { return .wrong }
        // `$2a$` and `$2y$` are the same function as `$2b$`. For `$2a$`, libxcrypt deviates from it for a few
        // passwords, to protect hashes of a faulty version.
        let setting = "$2b$\(cost)$\(salt)"
        var found = [CChar](repeating: 0, count: 31)
        // bcrypt ignores the rest, and libxcrypt refuses a very long password.
        let text = password.prefix(72).map { CChar(bitPattern: $0) } + [0]
        let outcome = unsafe nightlatch_bcrypt(text, setting, &found)
        switch outcome {
        case NIGHTLATCH_BCRYPT_DONE:
            return isEqual(found.map { UInt8(bitPattern: $0) }, Array(hash.utf8)) ? .right : .wrong
        case NIGHTLATCH_BCRYPT_NO_MEMORY: return .noMemory
        default: return .unsupported
        }
    }
}

extension ImportedPasswordHash.PBKDF2Hash {
    fileprivate func check(_ password: [UInt8]) -> ImportedPasswordHash.Check {
        let function: KDF.Insecure.PBKDF2.HashFunction =
            switch self.function {
            case .sha1: .insecureSHA1
            case .sha256: .sha256
            case .sha512: .sha512
            }
        do {
            // The checked variant refuses fewer than 210,000 rounds, which many systems had.
            let found = try KDF.Insecure.PBKDF2.deriveKey(
                from: password, salt: salt, using: function, outputByteCount: hash.count,
                unsafeUncheckedRounds: iterations)
            return unsafe found.withUnsafeBytes { unsafe isEqual(Array($0), hash) } ? .right : .wrong
        } catch {
            return .corrupt
        }
    }
}

private func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    ConstantTime.isEqual(Base64URL.encode(one), Base64URL.encode(other))
}
