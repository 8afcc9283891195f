/// How what is sealed in a record is made; `docs/vault-format.md` describes both formats.
///
/// It is a property of each sealed part. While a vault is upgraded its record holds a part of either format.
enum SealedFormat: Int, Codable, Hashable, Sendable {
    /// A PIN slot commits to no key, and the public keys of the recipients are readable. It is read, and upgraded by the next unlock by PIN.
    case first = 1
    /// A PIN slot commits to its key, the content says whether a hardener has a part in the PIN, and the public keys of the recipients are
    /// sealed.
    case second = 2

    static let newest = SealedFormat.second

    /// As every transcript names it.
    var number: UInt64 { UInt64(rawValue) }
}
