public import NightlatchFuzzReference

/// A decoder of the server's under fuzzing. Each has a folder of its name in `Server/Fuzz/Corpus`. Those that client and server share are in
/// the root package's `Fuzz`.
public enum FuzzTarget: String, CaseIterable, FuzzTargets {
    /// What a journey's client answers.
    case answers
    /// What a journey's client signs.
    case journeyMessages = "journey-messages"
    /// What a journey's client brings back, and the state in it.
    case authIDs = "auth-ids"
    /// What journeys are configured by.
    case journeyFiles = "journey-files"
    /// By what the sender of a request shows its key.
    case proofs
    /// The body of a request for tokens.
    case forms

    @discardableResult
    public func check(_ input: [UInt8]) async throws(FuzzFinding) -> Bool {
        switch self {
        case .answers: try AnswerInvariants.check(input)
        case .journeyMessages: try JourneyMessageInvariants.check(input)
        case .authIDs: try AuthIDInvariants.check(input)
        case .journeyFiles: try JourneyFileInvariants.check(input)
        case .proofs: try ProofInvariants.check(input)
        case .forms: try FormInvariants.check(input)
        }
    }
}
