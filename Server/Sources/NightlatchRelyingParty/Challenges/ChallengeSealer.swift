import Crypto
import Foundation
package import NightlatchWire

/// Makes challenges and the handles they travel in, and opens handles again.
///
/// A handle is the master key's id, then an AES-256-GCM box under a key that is derived from it, the id being associated
/// data. Nobody else can make one, change one or read one. A handle by itself may be opened any number of times: that a
/// challenge serves once is the store's rule.
package struct ChallengeSealer: Sendable {
    private let key: SymmetricKey
    private let keyID: [UInt8]
    private let associatedData: Data

    package init(masterKey: MasterKey) {
        key = masterKey.key(for: .challengeHandle)
        keyID = masterKey.id
        associatedData = Data("nightlatch challenge handle".utf8) + Data(keyID)
    }

    /// Why a handle was not opened.
    package enum Refusal: Error, Hashable, Sendable {
        /// It was not sealed here, or was changed.
        case notOurs
        /// It was, but its life is over.
        case expired
    }

    /// A handle that carries `challenge`.
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

    /// What `handle` carries, if it was sealed here and its life is not over at `now`.
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

/// A challenge could not be sealed: a defect of this program, since every challenge fits a handle.
package struct ChallengeSealingError: Error, Hashable, Sendable {}
