/// Why a device was not bound.
public enum BindingError: Error, Hashable, Sendable {
    /// The vault's device is bound already. Nothing was asked of the relying party.
    case alreadyBound(DeviceBinding)
    /// The vault could not be used.
    case vault(OpenVaultError)
    /// A key could not be made or used.
    case key(DeviceKeyError)
    /// The relying party gave no yes. After ``RelyingPartyError/refused(_:)`` keys made in this call are gone again; after any
    /// other the binding stays pending: the same call with the same code finds out what became of it.
    case relyingParty(RelyingPartyError)
}
