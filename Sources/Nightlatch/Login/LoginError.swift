import NightlatchWire

/// Why there was no login.
public enum LoginError: Error, Hashable, Sendable {
    /// The vault's device is bound with no relying party, not yet or not any more. Bind it first.
    case notBound
    /// The vault's device is bound with another relying party, which alone it can log in to. Nothing was asked of this one.
    case boundElsewhere(DeviceBinding)
    /// The relying party has revoked the device, or another one has taken its place. Its keys and its binding are gone from this
    /// device; the secrets of the vault are not. Offer to bind it again.
    case revoked
    /// The user or an operator has blocked the device. It keeps its keys, and can log in again once the block is undone: tell the
    /// person.
    case blocked
    /// The vault could not be used, or lacks what every binding has there: then it is ``VaultRecordError/corrupt``.
    case vault(OpenVaultError)
    /// A key could not be used. With ``DeviceKeyError/Code/absent`` or ``DeviceKeyError/Code/corrupt`` it never can be again:
    /// forget the binding and bind anew. Any other call may be made again.
    case key(DeviceKeyError)
    /// The relying party gave no tokens. Nothing was lost: the same call may be made again. With `ProblemCode.messageRefused` it may not
    /// know the device any more, for instance since it was restored from an older backup: get a new enrolment code and call
    /// ``DeviceBinder/bindAgain(_:code:deviceName:)``, which keeps the vault.
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
