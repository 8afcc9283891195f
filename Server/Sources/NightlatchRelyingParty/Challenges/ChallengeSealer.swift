import Crypto
import Foundation
package import NightlatchWire

/// Seals challenges into handles, and opens handles.
///
/// A handle consists of the master key's id and an AES-256-GCM sealed box under a key that is derived from the master
/// key; the id is associated data. Without the key, handles cannot be made, changed or read. The sealer opens a handle
/// any number of times; the store ensures that a challenge is used only once.
package struct ChallengeSealer: Sendable {
    private let keyring: MasterKeyring
    private let keys: [Key]

    private struct Key {
        let key: SymmetricKey
        let id: [UInt8]
        let associatedData: Data

        init(_ masterKey: MasterKey) {
            key = masterKey.key(for: .challengeHandle)
            id = masterKey.id.bytes
            associatedData = Data("nightlatch challenge handle".utf8) + Data(id)
        }
    }

    package init(keyring: MasterKeyring) {
        self.keyring = keyring
        keys = keyring.keys.map(Key.init)
    }

    /// The reason why a handle was refused.
    package enum Refusal: Error, Hashable, Sendable {
        /// The handle was not sealed under a master key of this process, or was changed.
        case notOurs
        /// The handle was sealed under a master key of this process, but has expired.
        case expired
    }

    /// Seals `challenge` into a handle.
    package func seal(_ challenge: SealedChallenge) throws(ChallengeSealingError) -> ChallengeHandle {
        let sealing = keys[keyring.place]
        do {
            let box = try AES.GCM.seal(
                challenge.bytes, using: sealing.key, authenticating: sealing.associatedData)
            guard let combined = box.combined,
                let handle = ChallengeHandle(rawValue: Base64URL.encode(sealing.id + combined))
            else { throw ChallengeSealingError() }
            return handle
        } catch {
            throw ChallengeSealingError()
        }
    }

    /// Opens `handle`, if it was sealed under a known master key and has not expired at `now`.
    package func open(_ handle: ChallengeHandle, at now: NumericDate) throws(Refusal) -> SealedChallenge {
        guard let bytes = Base64URL.decode(handle.rawValue), let key = keys.first(where: { bytes.starts(with: $0.id) })
        else { throw .notOurs }
        let plaintext: Data
        do {
            let box = try AES.GCM.SealedBox(combined: bytes.dropFirst(key.id.count))
            plaintext = try AES.GCM.open(box, using: key.key, authenticating: key.associatedData)
        } catch {
            throw .notOurs
        }
        guard let challenge = SealedChallenge(Array(plaintext)) else { throw .notOurs }
        guard now <= challenge.expiresAt else { throw .expired }
        return challenge
    }
}

/// A challenge could not be sealed. This is a defect of this program, since every challenge fits into a handle.
package struct ChallengeSealingError: Error, Hashable, Sendable {}
