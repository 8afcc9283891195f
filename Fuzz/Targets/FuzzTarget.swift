public import NightlatchFuzzReference

/// A decoder under fuzzing. Each target has a folder of its name in `Fuzz/Corpus`. The server's targets are in
/// `Server/Fuzz`.
public enum FuzzTarget: String, CaseIterable, FuzzTargets {
    case strictJSON = "strict-json"
    case jws
    case jwk
    /// The callbacks that a server sends to a journey's client.
    case callbacks
    /// The redirect that ends a client's authorization request.
    case redirect
    /// The policies that a relying party signs.
    case policies

    @discardableResult
    public func check(_ input: [UInt8]) async throws(FuzzFinding) -> Bool {
        switch self {
        case .strictJSON: try StrictJSONInvariants.check(input)
        case .jws: try JWSInvariants.check(input)
        case .jwk: try JWKInvariants.check(input)
        case .callbacks: try await CallbackInvariants.check(input)
        case .redirect: try await RedirectInvariants.check(input)
        case .policies: try PolicyInvariants.check(input)
        }
    }
}
