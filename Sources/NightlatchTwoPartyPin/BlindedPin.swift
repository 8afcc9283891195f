package import Crypto
import CryptoExtras
import Foundation
package import Nightlatch
package import NightlatchWire

/// The device's half of the function of a two-party PIN, for one input and one key.
///
/// The function is the verifiable oblivious pseudorandom function of
/// [RFC 9497](https://www.rfc-editor.org/rfc/rfc9497), with the suite P384-SHA384. swift-crypto computes it. Its API
/// has an underscore, because it may still change: only this file uses it, and tests check it against the vectors of
/// the RFC. A value of this type contains the blind, so it is never stored.
package struct BlindedPin {
    /// The element that the relying party evaluates: a random point, independent of the input.
    package let element: BlindedElement
    private let publicKey: P384._VOPRF.PublicKey
    private let input: P384._VOPRF.BlindedInput

    /// An error that occurs while blinding an input or computing the output.
    package enum Failure: Error, Hashable, Sendable {
        /// The public key, or the element in the answer, is no point of the curve.
        case noPoint
        /// The proof is wrong: the element was not evaluated with the pinned key.
        case notProved
    }

    /// Blinds `input` with a new random scalar, for the public key `key`.
    package init(_ input: borrowing SecretBytes, for key: PinPublicKey) throws(Failure) {
        do {
            publicKey = try P384._VOPRF.PublicKey(compressedRepresentation: key.bytes)
            let key = publicKey
            self.input = try CryptographyResidue.wiping {
                try unsafe input.withUnsafeBytes { bytes in try key.blind(unsafe Data(bytes)) }
            }
        } catch {
            throw .noPoint
        }
        guard let element = BlindedElement(bytes: Array(self.input.blindedElement.oprfRepresentation)) else {
            throw .noPoint
        }
        self.element = element
    }

    /// Verifies the proof and returns the output of the function.
    package func output(of element: EvaluatedElement, provedBy proof: EvaluationProof) throws(Failure) -> SymmetricKey {
        // The library accepts scalars above the order and reduces them. RFC 9497, section 2.1, requires scalars below
        // the order, so refuse others.
        let (challenge, response) = (proof.bytes.prefix(Self.order.count), proof.bytes.suffix(Self.order.count))
        guard challenge.lexicographicallyPrecedes(Self.order), response.lexicographicallyPrecedes(Self.order) else {
            throw .notProved
        }
        try refuseVanishingSums(of: element, challenge: challenge, response: response)
        let evaluation: P384._VOPRF.BlindEvaluation
        do {
            evaluation = try P384._VOPRF.BlindEvaluation(rawRepresentation: element.bytes + proof.bytes)
        } catch {
            throw .noPoint
        }
        do {
            return try CryptographyResidue.wiping {
                var output = try publicKey.finalize(input, using: evaluation)
                let secret = SecretBytes(wiping: &output)
                return unsafe secret.withUnsafeBytes { unsafe SymmetricKey(data: UnsafeRawBufferPointer($0)) }
            }
        } catch {
            throw .notProved
        }
    }

    /// Refuses a proof with a commitment that is the point at infinity.
    ///
    /// A commitment is the sum of two products: the response times a point, and the challenge times another point. A
    /// party with the private key can make a proof with a sum at infinity, for which the library would end the process.
    /// The two products then have the same x coordinate, so this function compares them.
    private func refuseVanishingSums(
        of element: EvaluatedElement,
        challenge: some Sequence<UInt8>,
        response: some Sequence<UInt8>
    ) throws(Failure) {
        do {
            let challenge = try P384.KeyAgreement.PrivateKey(rawRepresentation: Data(challenge))
            let response = try P384.KeyAgreement.PrivateKey(rawRepresentation: Data(response))
            func x(_ scalar: P384.KeyAgreement.PrivateKey, _ point: some ContiguousBytes) throws -> SharedSecret {
                try scalar.sharedSecretFromKeyAgreement(
                    with: P384.KeyAgreement.PublicKey(compressedRepresentation: point))
            }
            let key = unsafe try x(challenge, publicKey.compressedRepresentation).withUnsafeBytes { unsafe Array($0) }
            guard key != Array(response.publicKey.rawRepresentation.prefix(Self.order.count)),
                try x(response, self.element.bytes) != x(challenge, element.bytes)
            else { throw Failure.notProved }
        } catch {
            // The library also throws for a scalar of zero. A correctly made proof contains none.
            throw .notProved
        }
    }

    /// The order of P-384's group, big-endian ([FIPS 186-5](https://doi.org/10.6028/NIST.FIPS.186-5), SP 800-186,
    /// 3.2.1.4).
    private static let order: [UInt8] =
        [UInt8](repeating: 0xff, count: 24) + [
            0xc7, 0x63, 0x4d, 0x81, 0xf4, 0x37, 0x2d, 0xdf, 0x58, 0x1a, 0x0d, 0xb2,
            0x48, 0xb0, 0xa7, 0x7a, 0xec, 0xec, 0x19, 0x6a, 0xcc, 0xc5, 0x29, 0x73,
        ]
}
