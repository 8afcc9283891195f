public import NightlatchFuzzReference

/// A decoder of the server to fuzz.
///
/// Each has a folder with its name in `Server/Fuzz/Corpus`. The decoders that client and server share are in the root
/// package's `Fuzz`.
public enum FuzzTarget: String, CaseIterable, FuzzTargets {
    /// The answers of a journey's client.
    case answers
    /// The signed messages of a journey's client.
    case journeyMessages = "journey-messages"
    /// The `authId` that a journey's client returns, and the state in it.
    case authIDs = "auth-ids"
    /// The configuration files of journeys.
    case journeyFiles = "journey-files"
    /// The DPoP proofs of requests.
    case proofs
    /// The form bodies of token requests.
    case forms
    /// The registrations of apps.
    case apps
    /// The profiles of users.
    case profiles
    /// The password hashes of other systems.
    case importedHashes = "imported-hashes"
    /// The tokens of API keys.
    case apiTokens = "api-tokens"

    @discardableResult
    public func check(_ input: [UInt8]) async throws(FuzzFinding) -> Bool {
        switch self {
        case .answers: try AnswerInvariants.check(input)
        case .journeyMessages: try JourneyMessageInvariants.check(input)
        case .authIDs: try AuthIDInvariants.check(input)
        case .journeyFiles: try JourneyFileInvariants.check(input)
        case .proofs: try ProofInvariants.check(input)
        case .forms: try FormInvariants.check(input)
        case .apps: try AppInvariants.check(input)
        case .profiles: try ProfileInvariants.check(input)
        case .importedHashes: try ImportedHashInvariants.check(input)
        case .apiTokens: try APITokenInvariants.check(input)
        }
    }
}
