import Crypto
import CryptoExtras
import Foundation
import NightlatchRelyingParty
import NightlatchWire
import Testing

@Suite("The relying party's half of a two-party PIN")
struct PinEvaluatorTests {
    private let evaluator = PinEvaluator(keyring: .random())
    private let device = DeviceID.random()

    /// The test vectors of RFC 9497; `Tests/Vectors/RFC9497/README.md` names their source.
    private struct Vectors: Decodable {
        let skSm: String
        let pkSm: String
        let vectors: [Vector]

        struct Vector: Decodable {
            let input: String
            let blinded_element: String
            let evaluation_element: String
            let output: String
        }

        static func read() throws -> Self {
            let file = URL(fileURLWithPath: #filePath)
                .appendingPathComponent("../../../../../Tests/Vectors/RFC9497/p384-sha384-voprf.json").standardized
            return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
        }
    }

    private func bytes(_ hexadecimal: String) throws -> [UInt8] {
        try stride(from: 0, to: hexadecimal.count, by: 2).map { offset in
            let start = hexadecimal.index(hexadecimal.startIndex, offsetBy: offset)
            return try #require(UInt8(hexadecimal[start..<hexadecimal.index(start, offsetBy: 2)], radix: 16))
        }
    }

    @Test("It computes the same as RFC 9497: public key, evaluated element, and the output for any blind")
    func vectors() async throws {
        let vectors = try Vectors.read()
        try #require(vectors.vectors.count == 2)
        let key = try evaluator.seal(scalar: bytes(vectors.skSm), for: device, epoch: .first)
        #expect(try key.publicKey.bytes == bytes(vectors.pkSm))
        let publicKey = try P384._VOPRF.PublicKey(compressedRepresentation: bytes(vectors.pkSm))
        for vector in vectors.vectors {
            let element = try #require(BlindedElement(bytes: try bytes(vector.blinded_element)))
            let evaluation = try await evaluator.evaluate(element, with: key, of: device)
            #expect(try evaluation.element.bytes == bytes(vector.evaluation_element))

            // The library chooses the blind itself; the output does not depend on it.
            let blinded = try publicKey.blind(Data(bytes(vector.input)))
            let own = try #require(BlindedElement(bytes: Array(blinded.blindedElement.oprfRepresentation)))
            let answer = try await evaluator.evaluate(own, with: key, of: device)
            let output = try publicKey.finalize(
                blinded,
                using: P384._VOPRF.BlindEvaluation(rawRepresentation: answer.element.bytes + answer.proof.bytes))
            #expect(try Array(output) == bytes(vector.output))
        }
    }

    @Test("The same element gives the same point and another proof; a proof is valid only for its own key and element")
    func proofs() async throws {
        let key = try await evaluator.makeKey(for: device, epoch: .first)
        let other = try await evaluator.makeKey(for: device, epoch: .first)
        #expect(key.publicKey != other.publicKey)
        let pin = try BlindedPin("295038", for: key.publicKey)
        let first = try await evaluator.evaluate(pin.element, with: key, of: device)
        let again = try await evaluator.evaluate(pin.element, with: key, of: device)
        #expect(first.element == again.element && first.proof != again.proof)
        let output = try pin.finalize(first.element, first.proof)
        #expect(try pin.finalize(again.element, again.proof) == output)

        let wrong = try await evaluator.evaluate(pin.element, with: other, of: device)
        let elsewhere = try await evaluator.evaluate(
            BlindedPin("860527", for: key.publicKey).element, with: key, of: device)
        for (element, proof) in [
            (wrong.element, wrong.proof), (wrong.element, first.proof), (first.element, wrong.proof),
            (elsewhere.element, elsewhere.proof),
        ] {
            #expect(throws: (any Error).self) { try pin.finalize(element, proof) }
        }
        for place in [0, 47, 48, 95] {
            var spoilt = first.proof.bytes
            spoilt[place] ^= 1
            let proof = try #require(EvaluationProof(bytes: spoilt))
            #expect(throws: (any Error).self) { try pin.finalize(first.element, proof) }
        }
        #expect(try await evaluate("860527", with: key) != output)
        #expect(try await evaluate("295038", with: other) != output)
    }

    private func evaluate(_ digits: String, with key: SealedPinKey) async throws -> Data {
        let pin = try BlindedPin(digits, for: key.publicKey)
        let evaluation = try await evaluator.evaluate(pin.element, with: key, of: device)
        return try pin.finalize(evaluation.element, evaluation.proof)
    }

    @Test("An x without a point, or not below the prime, is not a point")
    func points() async throws {
        let key = try await evaluator.makeKey(for: device, epoch: .first)
        let good = try BlindedPin("295038", for: key.publicKey).element
        #expect(await evaluator.isPoint(good))
        let none = try notPoints()
        for element in none {
            #expect(await !evaluator.isPoint(element))
            await #expect(throws: PinEvaluator.Failure.noPoint) {
                try await evaluator.evaluate(element, with: key, of: device)
            }
        }
    }

    private func notPoints() throws -> [BlindedElement] {
        // About every second x belongs to no point.
        let small = try (0..<64).map {
            try #require(BlindedElement(bytes: [2] + .init(repeating: 0, count: 47) + [$0]))
        }
        let withoutPoint = small.filter { element in
            (try? P384.Signing.PublicKey(compressedRepresentation: element.bytes)) == nil
        }
        try #require(!withoutPoint.isEmpty && withoutPoint.count < 64)
        return withoutPoint + [try #require(BlindedElement(bytes: [3] + .init(repeating: 255, count: 48)))]
    }

    @Test("A key opens only under its master key, for its device, epoch and public key")
    func seal() async throws {
        let key = try await evaluator.makeKey(for: device, epoch: .first)
        let other = try await evaluator.makeKey(for: device, epoch: .first)
        let element = try BlindedPin("295038", for: key.publicKey).element
        var box = try #require(Base64URL.decode(key.box))
        box[20] ^= 1
        let spoilt = [
            SealedPinKey(epoch: key.epoch.next, publicKey: key.publicKey, box: try #require(Base64URL.decode(key.box))),
            SealedPinKey(epoch: key.epoch, publicKey: other.publicKey, box: try #require(Base64URL.decode(key.box))),
            SealedPinKey(epoch: key.epoch, publicKey: key.publicKey, box: box),
            SealedPinKey(epoch: key.epoch, publicKey: key.publicKey, box: []),
        ]
        for key in spoilt {
            await #expect(throws: PinEvaluator.Failure.sealBroken) {
                try await evaluator.evaluate(element, with: key, of: device)
            }
        }
        await #expect(throws: PinEvaluator.Failure.sealBroken) {
            try await evaluator.evaluate(element, with: key, of: .random())
        }
        await #expect(throws: PinEvaluator.Failure.sealBroken) {
            try await PinEvaluator(keyring: .random()).evaluate(element, with: key, of: device)
        }
        #expect(try await evaluator.evaluate(element, with: key, of: device).element.bytes.count == 49)
    }
}
