/// The purpose of a hash or a derived key of a two-party PIN on the device. Each purpose has its own label, so no value
/// serves two purposes.
///
/// `docs/two-party-pin.md` lists the other inputs of each.
public enum PinPurpose: String, CaseIterable, Sendable {
    /// The input of the oblivious function.
    case input = "nightlatch two-party pin input v1"
    /// The key that is derived from the stretched PIN and the output of the function.
    case pinKey = "nightlatch two-party pin key v1"
    /// The key, derived from ``pinKey``, that wraps the vault key.
    case vaultKey = "nightlatch two-party vault key v1"
    /// The key, derived from ``pinKey``, that seals the knowledge key.
    case knowledgeKey = "nightlatch two-party knowledge key v1"
    /// The slot's commitment to ``pinKey``.
    case commitment = "nightlatch two-party commitment v1"
}
