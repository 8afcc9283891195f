import Crypto
import CryptoExtras
import Foundation
import Nightlatch
import NightlatchTwoPartyPin
import NightlatchWire
import Testing

@Suite("The device's half of the two-party function")
struct FunctionVectorTests {
    /// The vectors of RFC 9497; `Tests/Vectors/RFC9497/README.md` names their source.
    private struct Vectors: Decodable {
        let skSm: String
        let pkSm: String
        let vectors: [Vector]

        struct Vector: Decodable {
            let input: String
            let output: String
        }

        static func read() throws -> Self {
            let file = URL(fileURLWithPath: #filePath)
                .appendingPathComponent("../../Vectors/RFC9497/p384-sha384-voprf.json").standardized
            return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
        }
    }

    private func bytes(_ hexadecimal: String) throws -> [UInt8] {
        try stride(from: 0, to: hexadecimal.count, by: 2).map { offset in
            let start = hexadecimal.index(hexadecimal.startIndex, offsetBy: offset)
            return try #require(UInt8(hexadecimal[start..<hexadecimal.index(start, offsetBy: 2)], radix: 16))
        }
    }

    @Test("With any blind the output is that of RFC 9497")
    func vectors() throws {
        let vectors = try Vectors.read()
        try #require(vectors.vectors.count == 2)
        let key = try P384._VOPRF.PrivateKey(rawRepresentation: bytes(vectors.skSm))
        let publicKey = try #require(PinPublicKey(bytes: try bytes(vectors.pkSm)))
        for vector in vectors.vectors {
            let blinded = try BlindedPin(SecretBytes(copying: try bytes(vector.input)), for: publicKey)
            let evaluation = try key.evaluate(
                P384._VOPRF.BlindedElement(oprfRepresentation: blinded.element.bytes))
            let output = try blinded.output(
                of: try #require(EvaluatedElement(bytes: Array(evaluation.evaluatedElement.oprfRepresentation))),
                provedBy: try #require(EvaluationProof(bytes: Array(evaluation.proof.rawRepresentation))))
            let expected = try bytes(vector.output)
            #expect(output == SymmetricKey(data: expected))
        }
    }

    @Test("An invalid public key blinds nothing, and a proof with a scalar not below the order is refused")
    func refusals() throws {
        // About half of the small x coordinates belong to no point.
        let noPoints = try (0..<16).map { last in
            try #require(PinPublicKey(bytes: [2] + .init(repeating: 0, count: 47) + [last]))
        }.filter { key in
            do {
                _ = try BlindedPin(SecretBytes(copying: [1]), for: key)
                return false
            } catch {
                return true
            }
        }
        #expect((1..<16).contains(noPoints.count))
        let key = P384._VOPRF.PrivateKey(compactRepresentable: false)
        let publicKey = try #require(PinPublicKey(bytes: Array(key.publicKey.oprfRepresentation)))
        let blinded = try BlindedPin(SecretBytes(copying: [1]), for: publicKey)
        let element = try #require(EvaluatedElement(rawValue: blinded.element.rawValue))
        // With the challenge 1 and the order minus the key as the response, the proof's commitment is the identity.
        let one = [UInt8](repeating: 0, count: 47) + [1]
        let vanishing = one + negative(Array(key.rawRepresentation))
        for bytes in [[UInt8](repeating: 0xff, count: 96), .init(repeating: 0, count: 96), vanishing] {
            let proof = try #require(EvaluationProof(bytes: bytes))
            #expect(throws: BlindedPin.Failure.notProved) { try blinded.output(of: element, provedBy: proof) }
        }
        let evaluation = try key.evaluate(P384._VOPRF.BlindedElement(oprfRepresentation: blinded.element.bytes))
        let evaluated = try #require(EvaluatedElement(bytes: Array(evaluation.evaluatedElement.oprfRepresentation)))
        let proof = try #require(EvaluationProof(bytes: vanishing))
        #expect(throws: BlindedPin.Failure.notProved) { try blinded.output(of: evaluated, provedBy: proof) }
    }

    /// The group's order minus `scalar`.
    private func negative(_ scalar: [UInt8]) -> [UInt8] {
        let order: [UInt8] =
            [UInt8](repeating: 0xff, count: 24) + [
                0xc7, 0x63, 0x4d, 0x81, 0xf4, 0x37, 0x2d, 0xdf, 0x58, 0x1a, 0x0d, 0xb2,
                0x48, 0xb0, 0xa7, 0x7a, 0xec, 0xec, 0x19, 0x6a, 0xcc, 0xc5, 0x29, 0x73,
            ]
        var borrow = 0
        return zip(order, scalar).reversed().map { minuend, subtrahend in
            let difference = Int(minuend) - Int(subtrahend) - borrow
            borrow = difference < 0 ? 1 : 0
            return UInt8(difference & 0xff)
        }.reversed()
    }
}
