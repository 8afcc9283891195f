public import NightlatchWire

/// The outcome of a registration.
public enum RegistrationOutcome: Sendable {
    /// The profile is registered, and its vault is open.
    case registered(Profile, OpenVault)
    /// The user cancelled. Nothing was created.
    case cancelled
}

/// An error that occurs while registering a profile.
///
/// Everything that was created for the profile is gone, or the next ``Profiles/resume()`` removes it. The exception is
/// an error of the store in the last write: then the profile may be completely registered.
public enum RegistrationError<Failure: Error>: Error {
    /// The device has the maximum number of profiles. Deregister one first.
    case tooManyProfiles(limit: Int)
    /// The app's factory returned a vault that already exists. The vault was not touched. Each profile needs its own
    /// store.
    case vaultExists
    /// The registry could not be read or written.
    case registry(RegistryError)
    /// The vault's store could not be read.
    case vault(VaultError)
    /// The policy does not allow the PIN, for all of these reasons.
    case pinRefused([PinObjection])
    /// The vault could not be created; see ``CreateVaultError/vault(_:)``.
    case create(VaultError)
    /// The prompt answered with a box whose PIN was already taken: a defect of the prompt.
    case emptyPinBox
    /// The app's part of the registration threw this error.
    case completion(Failure)
    /// Another call of ``Profiles/resume()`` or ``Profiles/deregister(_:)`` undid the registration while it was
    /// running.
    case undone
}

extension RegistrationError: Equatable where Failure: Equatable {}
extension RegistrationError: Hashable where Failure: Hashable {}

extension Profiles {
    /// Registers a profile: asks for its PIN and creates its vault.
    ///
    /// - Throws: ``RegistrationError``.
    public func register(
        _ name: ProfileName,
        pinPolicy: PinPolicy = .default,
        prompt: any PinPrompt
    ) async throws(RegistrationError<Never>) -> RegistrationOutcome {
        try await register(name, pinPolicy: pinPolicy, prompt: prompt) { (_, _) async throws(Never) in }
    }

    /// Registers a profile, provided that the app's part succeeds too, such as binding the device with a server.
    ///
    /// Nothing is written before the user has chosen a PIN that the policy accepts. Until this returns, the profile is
    /// not listed. After a crash, or an error from `body`, neither a vault nor a key of the profile is left. The write
    /// that registers the profile also contains the PIN's length, if the app wants it remembered.
    ///
    /// ```swift
    /// try await profiles.register(name, pinPolicy: policy, prompt: pinPad) { profile, vault in
    ///     let binder = DeviceBinder(relyingParty: server, keys: profiles.deviceKeys(of: profile.id))
    ///     _ = try await binder.bind(vault, code: code, deviceName: deviceName)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name that this device's screen shows for the user.
    ///   - pinPolicy: The rules for new PINs, as the server gives them for this user.
    ///   - prompt: Asks for the PIN, again after each PIN that the policy refuses.
    ///   - body: The app's part. It gets the profile and its open vault; device keys come from ``deviceKeys(of:)``.
    /// - Throws: ``RegistrationError``, with the error of `body` as ``RegistrationError/completion(_:)``.
    public func register<Failure: Error>(
        _ name: ProfileName,
        pinPolicy: PinPolicy = .default,
        prompt: any PinPrompt,
        completing body: (Profile, OpenVault) async throws(Failure) -> Void
    ) async throws(RegistrationError<Failure>) -> RegistrationOutcome {
        let profile = Profile(id: .random(), name: name, pinPolicy: pinPolicy)
        return try await Registration(profiles: self, profile: profile).run(prompt: prompt, completing: body)
    }
}
