public import NightlatchWire

/// What came of a registration.
public enum RegistrationOutcome: Sendable {
    /// The profile is registered, and its vault is open.
    case registered(Profile, OpenVault)
    /// The person cancelled. Nothing was made.
    case cancelled
}

/// Why a profile was not registered. What was made for it is gone again, or goes with the next ``Profiles/resume()``, unless the
/// store failed in the very last write: then the profile may be registered, whole.
public enum RegistrationError<Failure: Error>: Error {
    /// The device has as many profiles as it may have. Deregister one first.
    case tooManyProfiles(limit: Int)
    /// The app's factory gave a vault that exists already. It was not touched. Each profile needs a store of its own.
    case vaultExists
    /// The registry could not be read or written.
    case registry(ProfileRegistryError)
    /// The vault's store could not be read.
    case vault(VaultRecordError)
    /// The vault could not be made.
    case create(CreateVaultError)
    /// The prompt answered with a box whose PIN was taken already: a defect of the prompt.
    case emptyPinBox
    /// The app's part of the registration failed.
    case completion(Failure)
    /// Someone else undid the registration while it went on, with ``Profiles/resume()`` or ``Profiles/deregister(_:)``.
    case undone
}

extension RegistrationError: Equatable where Failure: Equatable {}
extension RegistrationError: Hashable where Failure: Hashable {}

extension Profiles {
    /// Registers a profile: asks for its PIN and makes its vault.
    ///
    /// - Throws: ``RegistrationError``.
    public func register(
        _ name: ProfileName,
        pinPolicy: PinPolicy = .default,
        prompt: any PinPrompt
    ) async throws(RegistrationError<Never>) -> RegistrationOutcome {
        try await register(name, pinPolicy: pinPolicy, prompt: prompt) { (_, _) async throws(Never) in }
    }

    /// Registers a profile that holds only if the app's part succeeds too, such as binding the device with a server.
    ///
    /// Nothing is written before the person has chosen a PIN that the policy accepts. From then on until this returns the profile is
    /// not listed; a crash, or an error from `body`, leaves neither a vault nor a key of it. The length of the PIN, if it is
    /// remembered, is written with the very write that makes the profile registered.
    ///
    /// ```swift
    /// try await profiles.register(name, pinPolicy: policy, prompt: pinPad) { profile, vault in
    ///     guard let keys = profiles.deviceKeys(of: profile.id) else { throw AppError.noKeys }
    ///     let binder = DeviceBinder(relyingParty: server, keys: keys)
    ///     _ = try await binder.bind(vault, code: code, deviceName: deviceName)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: What the person is called on this device's screen.
    ///   - pinPolicy: Which PINs may be set, as the server gives it for this person.
    ///   - prompt: Asks for the PIN, again for as long as it is refused.
    ///   - body: The app's part. It gets the profile and its open vault; device keys come from ``deviceKeys(of:)``.
    /// - Throws: ``RegistrationError``, with what `body` threw as ``RegistrationError/completion(_:)``.
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
