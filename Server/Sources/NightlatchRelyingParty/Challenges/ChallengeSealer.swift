import Crypto
import Foundation
package import NightlatchWire

/// Seals challenges into handles, and opens handles.
///
/// A handle consists of the master key's id and an AES-256-GCM sealed box under a key that is derived from the master
/// key; the id is associated data. Without the key, handles cannot be made, changed or read. The sealer opens a handle
/// any number of times; the store ensures that a challenge is used only once.
package struct ChallengeSealer: Sendable {
    private let key: SymmetricKey
    private let keyID: [UInt8]
    private let associatedData: Data

    package init(masterKey: MasterKey) {
        key = masterKey.key(for: .challengeHandle)
        keyID = masterKey.id
        associatedData = Data("nightlatch challenge handle".utf8) + Data(keyID)
    }

    /// The reason why a handle was refused.
    package enum Refusal: Error, Hashable, Sendable {
        /// The handle was not sealed under this master key, or was changed.
        case notOurs
        /// The handle was sealed under this master key, but has expired.
        case expired
    }

    /// Seals `challenge` into a handle.
    package func seal(_ challenge: SealedChallenge) throws(ChallengeSealingError) -> ChallengeHandle {
        do {
            let box = try AES.GCM.seal(challenge.bytes, using: key, authenticating: associatedData)
            guard let combined = box.combined,
                let handle = ChallengeHandle(rawValue: Base64URL.encode(keyID + combined))
            else { throw ChallengeSealingError() }
            return handle
        } catch {
            throw ChallengeSealingError()
        }
    }

    /// Opens `handle`, if it was sealed under this master key and has not expired at `now`.
    package func open(_ handle: ChallengeHandle, at now: NumericDate) throws(Refusal) -> SealedChallenge {
        guard let bytes = Base64URL.decode(handle.rawValue), bytes.starts(with: keyID) else {
            throw .notOurs
        }
        let plaintext: Data
        do {
            let box = try AES.GCM.SealedBox(combined: bytes.dropFirst(keyID.count))
            plaintext = try AES.GCM.open(box, using: key, authenticating: associatedData)
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
