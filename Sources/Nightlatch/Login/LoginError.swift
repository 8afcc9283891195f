import NightlatchWire

/// An error that occurs during a login.
public enum LoginError: Error, Hashable, Sendable {
    /// The vault's device is not bound with a relying party. Bind it first.
    case notBound
    /// The vault's device is bound with another relying party, and can log in only there. No request was sent to the
    /// relying party of the call.
    case boundElsewhere(DeviceBinding)
    /// The relying party has revoked the device, or another device has replaced it.
    ///
    /// The device's keys and its binding are gone from this device. The secrets of the vault remain. Offer to bind the
    /// device again.
    case revoked
    /// The user or an operator has blocked the device.
    ///
    /// The device keeps its keys, and can log in again once it is unblocked. Tell the user.
    case blocked
    /// The vault could not be used. ``VaultError/corrupt`` also means that the vault lacks a secret that every
    /// binding has.
    case vault(VaultError)
    /// A key could not be used.
    ///
    /// With ``DeviceKeyError/Code/absent`` or ``DeviceKeyError/Code/corrupt`` the key can never be used again: forget
    /// the binding and bind again. After any other code, repeat the call.
    case key(DeviceKeyError)
    /// The relying party issued no tokens. Nothing was lost: repeat the same call.
    ///
    /// With `ProblemCode.messageRefused` the relying party may no longer know the device, for example because it was
    /// restored from an older backup. Get a new enrolment code and call ``DeviceBinder/bindAgain(_:code:deviceName:)``,
    /// which keeps the vault.
    case relyingParty(RelyingPartyError)
}

extension LoginError {
    init(_ error: SessionError) {
        switch error {
        case .key(let error): self = .key(error)
        case .relyingParty(.refused(let refusal)) where refusal.isDecision && refusal.code == .deviceBlocked:
            self = .blocked
        case .relyingParty(let error): self = .relyingParty(error)
        }
    }

    init(_ error: ForgetBindingError) {
        switch error {
        case .key(let error): self = .key(error)
        case .vault(let error): self = .vault(error)
        }
    }
}
