import Crypto
import CryptoExtras
import Foundation
package import NightlatchWire

/// The relying party's half of a two-party PIN: the verifiable oblivious pseudorandom function of [RFC
/// 9497](https://www.rfc-editor.org/rfc/rfc9497), suite P384-SHA384, with one key for each epoch of each device.
///
/// swift-crypto does the computation. The underscore in the name of its API means that the API may change. Only this
/// file therefore uses that API, and tests check it against the RFC's vectors. Stored keys are sealed with AES-256-GCM
/// under a key that is derived from the master key for this purpose only. The associated data contains the master key's
/// id, the device, the epoch and the public key, so that no key can replace another one.
package struct PinEvaluator: Sendable {
    private let keyring: MasterKeyring
    private let keys: PurposeKeys
    /// Runs the evaluations. Each takes milliseconds of processor time, so it must not run on an event loop. At most
    /// one evaluation for each processor runs at the same time.
    private let queue = OperationQueue()

    package init(keyring: MasterKeyring) {
        self.keyring = keyring
        keys = keyring.keys(for: .pinKey)
        queue.name = "nightlatch.pin"
        queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
    }

    /// The reason why nothing was evaluated.
    package enum Failure: Error, Hashable, Sendable {
        /// The blinded element is not a point of the curve.
        case noPoint
        /// The key was sealed under an unknown master key, for another device or epoch, or was changed.
        case sealBroken
    }

    /// Makes a new key with the system's cryptographically secure generator.
    package func makeKey(for device: DeviceID, epoch: PinEpoch) async throws(Failure) -> SealedPinKey {
        try await onQueue { () throws(Failure) in
            // Requiring a compact form of the public key would halve the number of possible keys.
            try seal(P384._VOPRF.PrivateKey(compactRepresentable: false), for: device, epoch: epoch)
        }
    }

    /// Seals a given key, for tests with known results.
    package func seal(
        scalar: [UInt8],
        for device: DeviceID,
        epoch: PinEpoch
    ) throws(Failure) -> SealedPinKey {
        let key: P384._VOPRF.PrivateKey
        do {
            key = try P384._VOPRF.PrivateKey(rawRepresentation: scalar)
        } catch {
            throw .sealBroken
        }
        return try seal(key, for: device, epoch: epoch)
    }

    /// Whether `element` is a point of the curve. The caller checks this before charging a guess.
    package func isPoint(_ element: BlindedElement) async -> Bool {
        do {
            return try await onQueue { () throws(Failure) in
                _ = try Self.point(element)
                return true
            }
        } catch {
            return false
        }
    }

    /// Evaluates `element` with a key of `device`. The caller has charged the guess before.
    package func evaluate(
        _ element: BlindedElement,
        with key: SealedPinKey,
        of device: DeviceID
    ) async throws(Failure) -> PinGuessEvaluation {
        try await onQueue { () throws(Failure) in try evaluateNow(element, with: key, of: device) }
    }

    private func onQueue<Value: Sendable>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    private static func point(_ element: BlindedElement) throws(Failure) -> P384._VOPRF.BlindedElement {
        do {
            return try P384._VOPRF.BlindedElement(oprfRepresentation: element.bytes)
        } catch {
            throw .noPoint
        }
    }

    private func evaluateNow(
        _ element: BlindedElement,
        with key: SealedPinKey,
        of device: DeviceID
    ) throws(Failure) -> PinGuessEvaluation {
        let point = try Self.point(element)
        let privateKey = try open(key, of: device)
        do {
            let evaluation = try privateKey.evaluate(point)
            guard
                let evaluated = EvaluatedElement(bytes: Array(evaluation.evaluatedElement.oprfRepresentation)),
                let proof = EvaluationProof(bytes: Array(evaluation.proof.rawRepresentation))
            else { throw Failure.noPoint }
            return PinGuessEvaluation(element: evaluated, proof: proof)
        } catch {
            throw .noPoint
        }
    }

    private func seal(
        _ key: P384._VOPRF.PrivateKey,
        for device: DeviceID,
        epoch: PinEpoch
    ) throws(Failure) -> SealedPinKey {
        guard let publicKey = PinPublicKey(bytes: Array(key.publicKey.oprfRepresentation)) else { throw .sealBroken }
        let place = keys.place
        let masterKey = keyring.keys[place].id
        do {
            let box = try AES.GCM.seal(
                key.rawRepresentation, using: keys.known[place],
                authenticating: Self.associatedData(
                    under: masterKey, device: device, epoch: epoch, publicKey: publicKey))
            guard let combined = box.combined else { throw Failure.sealBroken }
            return SealedPinKey(epoch: epoch, publicKey: publicKey, box: Array(combined), masterKey: masterKey)
        } catch {
            throw .sealBroken
        }
    }

    private func open(_ sealed: SealedPinKey, of device: DeviceID) throws(Failure) -> P384._VOPRF.PrivateKey {
        for (key, masterKey) in zip(keys.known, keyring.keys) {
            do {
                guard let box = Base64URL.decode(sealed.box) else { throw Failure.sealBroken }
                let scalar = try AES.GCM.open(
                    AES.GCM.SealedBox(combined: box), using: key,
                    authenticating: Self.associatedData(
                        under: masterKey.id, device: device, epoch: sealed.epoch, publicKey: sealed.publicKey))
                return try P384._VOPRF.PrivateKey(rawRepresentation: scalar)
            } catch {
                // Sealed under another key of the keyring, or damaged.
            }
        }
        throw .sealBroken
    }

    /// Seals a stored key again under the master key that seals now. Opening it is the evidence that the key is whole.
    package func sealedAgain(_ key: SealedPinKey, of device: DeviceID) async throws(Failure) -> SealedPinKey {
        try await onQueue { () throws(Failure) in
            let new = try seal(open(key, of: device), for: device, epoch: key.epoch)
            // The public key is associated data, so it is the same unless the private key was damaged before.
            guard new.publicKey == key.publicKey else { throw .sealBroken }
            return new
        }
    }

    /// Returns the associated data of a sealed key. Every part has a fixed length, except the epoch, which is last.
    /// Different inputs therefore never give the same data.
    private static func associatedData(
        under masterKey: MasterKeyID, device: DeviceID, epoch: PinEpoch, publicKey: PinPublicKey
    ) -> Data {
        Data("nightlatch pin key v1".utf8) + Data(masterKey.bytes) + Data(device.rawValue.utf8)
            + Data(publicKey.bytes) + Data(String(epoch.rawValue).utf8)
    }
}
