public import NightlatchWire

/// An error that occurs while binding a device.
public enum BindingError: Error, Hashable, Sendable {
    /// The vault's device is already bound. No request was sent to the relying party.
    ///
    /// If the relying party no longer knows the device, call ``DeviceBinder/bindAgain(_:code:deviceName:)``.
    case alreadyBound(DeviceBinding)
    /// The code is for this user, and the device is bound to another one. Nothing was changed. Ask for a code for the
    /// device's user.
    case codeOfAnotherUser(UserID)
    /// Another call removed this binding, or began one with another code.
    ///
    /// The keys of this call were removed. If the relying party has accepted them, it lists a device that no one can
    /// use. Call again, with a new code.
    case superseded
    /// The vault could not be used. Call again with the same code.
    case vault(VaultError)
    /// A key could not be created, used or removed. Call again with the same code; if a key is damaged, with a new
    /// code.
    case key(DeviceKeyError)
    /// The relying party refused, or there is no usable answer.
    ///
    /// - After a refusal whose ``RelyingPartyRefusal/isDecision`` is true, keys that only this call has used are
    ///   removed. So are keys that were revoked.
    /// - After any other error, and if an earlier call may have bound the keys, the binding stays pending. Repeat the
    ///   call with the same code to get its result. A call with a new code begins a new binding.
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
