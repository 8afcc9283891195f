/// A decoder of the server's under fuzzing. Each has a folder of its name in `Server/Fuzz/Corpus`. Those that client and server share are in
/// the root package's `Fuzz`.
///
/// The decoders are the server's own files, linked into `Server/`: its other sources would bring the whole server along.
public enum FuzzTarget: String, CaseIterable, Sendable {
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

    /// Gives the decoder `input` and checks what it makes of it against a reference that shares no code with it.
    ///
    /// - Returns: Whether the decoder accepts it.
    /// - Throws: ``FuzzFinding``, if something is accepted that the reference refuses or read as something else. A refusal is none,
    ///   unless the reference accepts.
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
