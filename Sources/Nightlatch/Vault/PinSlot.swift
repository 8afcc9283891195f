import NightlatchWire

/// The vault key, wrapped under the key that the PIN gives. A PIN is right if and only if ``box`` opens: nothing else in the
/// record depends on it.
struct PinSlot: Codable, Hashable, Sendable {
    let salt: PinSalt
    let parameters: KeyDerivationParameters
    let box: SealedBytes
    /// What a hardener has to do with it; nil for a slot that the PIN alone opens.
    let hardened: HardenedSlot?

    init(salt: PinSalt, parameters: KeyDerivationParameters, box: SealedBytes, hardened: HardenedSlot? = nil) {
        self.salt = salt
        self.parameters = parameters
        self.box = box
        self.hardened = hardened
    }

    private enum CodingKeys: String, CodingKey {
        case salt
        case parameters = "key_derivation"
        case box, hardened
    }
}

/// 32 random bytes, new for every PIN that is set.
typealias PinSalt = Identifier<PinSaltRule>

enum PinSaltRule: BinaryIdentifierRule {
    static let name = "salt"
    static let byteCount = 32
}
