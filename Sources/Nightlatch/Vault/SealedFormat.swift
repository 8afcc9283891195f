/// The format of a sealed part of a record; `docs/vault-format.md` describes both formats.
///
/// Each sealed part has its own format. While a vault is being upgraded, its record contains parts of both.
enum SealedFormat: Int, Codable, Hashable, Sendable {
    /// A PIN slot commits to no key, and the public keys of the recipients are readable. The next unlock by PIN
    /// upgrades the vault.
    case first = 1
    /// A PIN slot commits to its key, the content records whether the PIN is hardened, and the public keys of the
    /// recipients are sealed.
    case second = 2

    static let newest = SealedFormat.second

    /// The number that every transcript contains.
    var number: UInt64 { UInt64(rawValue) }
}
