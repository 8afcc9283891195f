/// Why there was no login.
public enum LoginError: Error, Hashable, Sendable {
    /// The vault's device is not bound with this relying party. Bind it first.
    case notBound
    /// The relying party has revoked the device. Its keys and its binding are gone from this device; the secrets of the vault
    /// are not. Offer to bind it again.
    case revoked
    /// The vault could not be used.
    case vault(OpenVaultError)
    /// A key could not be used.
    case key(DeviceKeyError)
    /// The relying party gave no tokens. Nothing was lost: the same call may be made again.
    case relyingParty(RelyingPartyError)
}
