public import NightlatchWire

/// Why a device was not bound.
public enum BindingError: Error, Hashable, Sendable {
    /// The vault's device is bound already. Nothing was asked of the relying party. If that does not know the device any more, call
    /// ``DeviceBinder/bindAgain(_:code:deviceName:)``.
    case alreadyBound(DeviceBinding)
    /// The code is this user's, and the device is bound to another one. Nothing was changed. Ask for a code of the device's user.
    case codeOfAnotherUser(UserID)
    /// Someone else has let this binding go meanwhile, or has begun one with another code. The keys of this call are gone; if the
    /// relying party has accepted them, it lists a device that is nobody's. Call again, with a new code.
    case superseded
    /// The vault could not be used. Call again with the same code.
    case vault(OpenVaultError)
    /// A key could not be made, used or removed. Call again with the same code; if a key is damaged, with a new one.
    case key(DeviceKeyError)
    /// The relying party gave no yes.
    ///
    /// After a refusal that is a decision (``RelyingPartyRefusal/isDecision``) keys that only this call has used are gone again,
    /// and so are keys that were revoked. After any other error, and where an earlier call may have bound the keys, the binding
    /// stays pending: the same call with the same code finds out what became of it, a call with a new code begins anew.
    case relyingParty(RelyingPartyError)
}

extension BindingError {
    init(_ error: ForgetBindingError) {
        switch error {
        case .key(let error): self = .key(error)
        case .vault(let error): self = .vault(error)
        }
    }
}
