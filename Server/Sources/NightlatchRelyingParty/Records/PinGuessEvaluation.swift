public import NightlatchWire

/// A blinded element evaluated with an epoch's key, and the proof of the evaluation.
///
/// It is stored with its guess, so that each guess has only one evaluation.
public struct PinGuessEvaluation: Codable, Hashable, Sendable {
    public let element: EvaluatedElement
    public let proof: EvaluationProof

    public init(element: EvaluatedElement, proof: EvaluationProof) {
        self.element = element
        self.proof = proof
    }
}
