import NightlatchWire

/// The vault key, wrapped under the key that the PIN gives.
///
/// A PIN is right if and only if its key matches ``commitment``, ``box`` opens, and the key in it vouches for the
/// content. If any of these conditions fails, the PIN counts as wrong. So an attacker who can write the record does not
/// learn which one failed.
struct PinSlot: Codable, Hashable, Sendable {
    let salt: PinSalt
    let parameters: KeyDerivationParameters
    let box: SealedBytes
    /// Nil for a slot of ``SealedFormat/first``.
    let commitment: KeyCommitment?
    /// The hardener's part of the slot; nil for a slot that the PIN alone opens.
    let hardened: HardenedSlot?
    /// True for a slot that only an enrolment code opens, until the vault gets its first PIN
    /// (``Vault/createForTwoPartyPin(resumableWith:)``). Otherwise nil.
    var isProvisional: Bool?

    init(
        salt: PinSalt,
        parameters: KeyDerivationParameters,
        box: SealedBytes,
        commitment: KeyCommitment?,
        hardened: HardenedSlot? = nil
    ) {
        self.salt = salt
        self.parameters = parameters
        self.box = box
        self.commitment = commitment
        self.hardened = hardened
    }

    /// Creates a slot that the PIN alone opens.
    init(_ tier: LocalTier, stretchedBy parameters: KeyDerivationParameters) {
        self.init(salt: tier.salt, parameters: parameters, box: tier.box, commitment: tier.commitment)
    }

    /// The wrapped vault key of a slot without a hardener, which the PIN alone opens.
    var tier: LocalTier { LocalTier(salt: salt, box: box, commitment: commitment) }

    /// Whether the slot and its local tier have exactly the members of `format`.
    func hasShape(of format: SealedFormat) -> Bool {
        let commitments = [commitment] + (hardened?.localTier.map { [$0.commitment] } ?? [])
        return commitments.allSatisfy { ($0 != nil) == (format != .first) }
    }

    private enum CodingKeys: String, CodingKey {
        case salt
        case parameters = "key_derivation"
        case box, commitment, hardened
        case isProvisional = "provisional"
    }
}

/// 32 random bytes, new for every PIN that is set.
typealias PinSalt = Identifier<PinSaltRule>

enum PinSaltRule: BinaryIdentifierRule {
    static let name = "salt"
    static let byteCount = 32
}
