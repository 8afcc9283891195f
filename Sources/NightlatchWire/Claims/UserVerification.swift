/// How a person opened the vault that holds the device key, as the client says in the login that it signs. The relying party
/// sees the signature alone: whoever has the device key can say any of them.
public enum UserVerification: String, Codable, Hashable, Sendable, CaseIterable {
    /// By a PIN whose slot is on the device alone.
    case pin
    /// By a PIN that the relying party had a part in: a guess was charged before.
    case twoPartyPin = "two_party_pin"
    case biometrics
    case recoveryPhrase = "recovery_phrase"
}
