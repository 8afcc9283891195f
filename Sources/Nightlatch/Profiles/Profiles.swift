public import NightlatchWire

/// The users of this device, each with their own vault, policy and authenticators.
///
/// A registry lists the profiles: one record in a separate store, without secrets. Registering and deregistering first
/// write their intention there. So after a crash, ``resume()`` undoes or finishes everything at the next start. Several
/// processes may share a registry.
///
/// ```swift
/// let profiles = Profiles(registry: FileStore(path: "\(folder)/profiles"), deviceKeys: keys) { profile in
///     Vault(store: FileStore(path: "\(folder)/\(profile.id).vault"), clock: SystemLockoutClock())
/// }
/// _ = try await profiles.resume()
/// if case .registered(let alice, let vault) = try await profiles.register(name, prompt: pinPad) {
///     try await vault.set(seed, named: "wallet-seed")
/// }
/// ```
///
/// A value of this type contains no secret and can be copied freely.
public struct Profiles: Sendable {
    let registry: ProfileRegistry
    let keys: (any DeviceKeys)?
    let remembersPinLengths: Bool
    private let makeVault: @Sendable (Profile) -> Vault

    /// Opens a registry of profiles, which may be empty.
    ///
    /// - Parameters:
    ///   - registry: The store of the registry; only the registry may use it.
    ///   - deviceKeys: Creates the profiles' device keys; nil for an app that creates none. Use them through
    ///     ``deviceKeys(of:)``. An app that has ever created some passes them in every run.
    ///   - remembersPinLengths: Whether the registry contains the number of digits of each profile's PIN, so that a pad
    ///     can submit it automatically. Anyone who can read the registry then knows the length.
    ///   - vault: Returns the vault of a profile, always the same for a profile, in a store that no other vault has.
    ///     Its ``VaultConfiguration/pinPolicy`` has no effect, because the vault gets the profile's
    ///     ``Profile/pinPolicy``. Its ``VaultConfiguration/lockoutPolicy`` applies unless the relying party's policy
    ///     demands another. A demanded ``LockoutPolicy/wallet`` applies only while the vault has a recovery phrase.
    public init(
        registry: any SecureStore,
        deviceKeys: (any DeviceKeys)? = nil,
        remembersPinLengths: Bool = false,
        vault: @escaping @Sendable (Profile) -> Vault
    ) {
        self.registry = ProfileRegistry(store: registry)
        keys = deviceKeys
        self.remembersPinLengths = remembersPinLengths
        makeVault = vault
    }

    /// Returns the registered profiles, in the order in which they were registered.
    public func all() async throws(RegistryError) -> [Profile] {
        try await registry.read().profiles.filter { $0.stage == .registered }.map(profile)
    }

    /// Returns the current state of a profile, or nil if it is not registered.
    public func profile(_ id: ProfileID) async throws(RegistryError) -> Profile? {
        guard let entry = try await registry.read()[id], entry.stage == .registered else { return nil }
        return profile(entry)
    }

    /// Returns the vault of a profile, locked, with the profile's ``Profile/pinPolicy``, and with the lockout policy of
    /// the relying party if it demands one.
    public func vault(of profile: Profile) -> Vault {
        // The only place that makes a profile's vault, so each has the profile's policy.
        makeVault(profile).under(profile.pinPolicy, lockout: profile.policy.lockoutPolicy.map(LockoutPolicy.init))
    }

    /// Returns the device keys for a profile.
    ///
    /// The registry lists the tag of each key before it is created, so that deregistering finds every key while the
    /// vault is locked.
    ///
    /// No key is created if the profile is not registered: the call throws a ``DeviceKeyError`` with the code
    /// `refused`. If `Profiles` was created without device keys, each call throws the code `notProvided`: pass the
    /// keys.
    public func deviceKeys(of id: ProfileID) -> any DeviceKeys {
        guard let keys else { return NoDeviceKeys() }
        return ProfileDeviceKeys(base: keys, registry: registry, profile: id)
    }

    func profile(_ entry: ProfileEntry) -> Profile {
        entry.profile(withPinLength: remembersPinLengths)
    }
}
