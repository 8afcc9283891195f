/// The method by which the user opened the vault with the device key, as stated by the client in the signed login.
///
/// The relying party sees only the signature. A party with the device key can state any value.
public enum UserVerification: String, Codable, Hashable, Sendable, CaseIterable {
    /// A PIN that the device tests without the relying party.
    case pin
    /// A PIN that the relying party helped to test, after charging a guess.
    case twoPartyPin = "two_party_pin"
    case biometrics
    case recoveryPhrase = "recovery_phrase"
}
