import Crypto
import NightlatchWire

/// The commitment of a PIN slot to the key that opens it.
///
/// AES-GCM alone commits to no key: an attacker can make one box that opens under many keys. A slot of
/// ``SealedFormat/second`` opens only under the key with this commitment, so it cannot be made to open under several
/// PINs.
///
/// HKDF-SHA256 expands the commitment from that key. So it reveals nothing about the key, and no two keys have the same
/// commitment.
typealias KeyCommitment = Identifier<KeyCommitmentRule>

enum KeyCommitmentRule: BinaryIdentifierRule {
    static let name = "key commitment"
    static let byteCount = 32
}

extension KeyCommitment {
    init(of derived: SymmetricKey) {
        self.init(unchecked: Base64URL.encode(unsafe derived.withUnsafeBytes { unsafe Array($0) }))
    }

    /// Whether this is the commitment of `derived`. The comparison is in constant time, and the value derived from a
    /// wrong PIN stays in memory that is wiped.
    func matches(_ derived: SymmetricKey) -> Bool { SymmetricKey(data: bytes) == derived }
}
