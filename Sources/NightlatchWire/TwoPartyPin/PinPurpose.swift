/// What bytes are for that are hashed, or keys that are derived, for a two-party PIN on the device. None is used for a second purpose.
/// `docs/two-party-pin.md` says what stands beside each.
public enum PinPurpose: String, CaseIterable, Sendable {
    /// The input of the oblivious function.
    case input = "nightlatch two-party pin input v1"
    /// The key that the stretched PIN and the output of the function give.
    case pinKey = "nightlatch two-party pin key v1"
    /// The key, derived from ``pinKey``, that wraps the vault key.
    case vaultKey = "nightlatch two-party vault key v1"
    /// The key, derived from ``pinKey``, that seals the knowledge key.
    case knowledgeKey = "nightlatch two-party knowledge key v1"
    /// What the slot commits to ``pinKey`` by.
    case commitment = "nightlatch two-party commitment v1"
}
