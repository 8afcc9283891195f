public import NightlatchWire

/// What an epoch's key made of a blinded element, and the proof that it did. It is kept with its guess, so that each guess has one.
public struct PinGuessEvaluation: Codable, Hashable, Sendable {
    public let element: EvaluatedElement
    public let proof: EvaluationProof

    public init(element: EvaluatedElement, proof: EvaluationProof) {
        self.element = element
        self.proof = proof
    }
}
