/// A decoder under fuzzing. Each has a folder of its name in `Fuzz/Corpus`. Those of the server are in `Server/Fuzz`.
public enum FuzzTarget: String, CaseIterable, Sendable {
    case strictJSON = "strict-json"
    case jws
    case jwk
    /// What a journey's client gets.
    case callbacks

    /// Gives the decoder `input` and checks what it makes of it against a reference that shares no code with it.
    ///
    /// - Returns: Whether the decoder accepts it.
    /// - Throws: ``FuzzFinding``, if something is accepted that the reference refuses or read as something else. A refusal is none,
    ///   unless the reference accepts.
    @discardableResult
    public func check(_ input: [UInt8]) async throws(FuzzFinding) -> Bool {
        switch self {
        case .strictJSON: try StrictJSONInvariants.check(input)
        case .jws: try JWSInvariants.check(input)
        case .jwk: try JWKInvariants.check(input)
        case .callbacks: try await CallbackInvariants.check(input)
        }
    }
}
