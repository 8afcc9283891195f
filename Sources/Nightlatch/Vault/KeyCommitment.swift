import Crypto
import NightlatchWire

/// What a PIN slot says of the key that opens it. AES-GCM alone commits to no key: one box can be made that opens under many. A slot of
/// ``SealedFormat/second`` opens under the key with this commitment and no other, so it cannot be made to open under several PINs.
///
/// It is expanded from that key by HKDF-SHA256, so it says nothing about the key, and two keys do not have the same one.
typealias KeyCommitment = Identifier<KeyCommitmentRule>

enum KeyCommitmentRule: BinaryIdentifierRule {
    static let name = "key commitment"
    static let byteCount = 32
}

extension KeyCommitment {
    init(of derived: SymmetricKey) {
        self.init(unchecked: Base64URL.encode(unsafe derived.withUnsafeBytes { unsafe Array($0) }))
    }

    /// Whether this is what was derived. The comparison is in constant time, and what was derived from a wrong PIN stays in wiped memory.
    func matches(_ derived: SymmetricKey) -> Bool { SymmetricKey(data: bytes) == derived }
}
