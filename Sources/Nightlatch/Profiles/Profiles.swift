/// The people who use this device, each with a vault, a policy and authenticators of their own.
///
/// Which profiles there are stands in a registry: one record in a store of its own, which holds nothing secret. Registering and
/// deregistering write their intention there before they do anything, so a crash leaves nothing that ``resume()`` does not undo or
/// finish at the next start. Several processes may share a registry.
///
/// ```swift
/// let profiles = Profiles(registry: FileStore(path: "\(folder)/profiles"), deviceKeys: keys) { profile in
///     Vault(
///         store: FileStore(path: "\(folder)/\(profile.id).vault"), clock: SystemLockoutClock(),
///         pinPolicy: profile.pinPolicy)
/// }
/// _ = try await profiles.resume()
/// if case .registered(let alice, let vault) = try await profiles.register(name, prompt: pinPad) {
///     try await vault.set(seed, named: "wallet-seed")
/// }
/// ```
///
/// A value of this type holds no secret and can be copied freely.
public struct Profiles: Sendable {
    let registry: ProfileRegistry
    let keys: (any DeviceKeys)?
    let remembersPinLengths: Bool
    private let makeVault: @Sendable (Profile) -> Vault

    /// The profiles in a registry, which may hold some already.
    ///
    /// - Parameters:
    ///   - registry: Where the registry lies; the store is the registry's alone.
    ///   - deviceKeys: Where the profiles' device keys are made; nil for an app that makes none. Use them through
    ///     ``deviceKeys(of:)``.
    ///   - remembersPinLengths: Whether it is written down how many digits each profile's PIN has, so that a pad can submit it by
    ///     itself. Whoever reads the registry knows the length then.
    ///   - vault: Makes the vault of a profile, the same for the same profile: in a store that no other has, and with the
    ///     profile's ``Profile/pinPolicy``.
    public init(
        registry: any SecureStore,
        deviceKeys: (any DeviceKeys)?,
        remembersPinLengths: Bool = false,
        vault: @escaping @Sendable (Profile) -> Vault
    ) {
        self.registry = ProfileRegistry(store: registry)
        keys = deviceKeys
        self.remembersPinLengths = remembersPinLengths
        makeVault = vault
    }

    /// The registered profiles, in the order in which they were registered.
    public func all() async throws(ProfileRegistryError) -> [Profile] {
        try await registry.read().profiles.filter { $0.stage == .registered }.map(profile)
    }

    /// A profile as it stands, or nil if it is not registered.
    public func profile(_ id: ProfileID) async throws(ProfileRegistryError) -> Profile? {
        guard let entry = try await registry.read()[id], entry.stage == .registered else { return nil }
        return profile(entry)
    }

    /// The vault of a profile, locked.
    public func vault(of profile: Profile) -> Vault {
        let vault = makeVault(profile)
        precondition(vault.pinPolicy == profile.pinPolicy, "the vault of a profile takes the profile's PIN policy")
        return vault
    }

    /// The device keys for a profile to use, or nil if there are none at all. Their tags are written into the registry before a key
    /// is made, so that deregistering finds every key while the vault is locked.
    public func deviceKeys(of id: ProfileID) -> (any DeviceKeys)? {
        keys.map { ProfileDeviceKeys(base: $0, registry: registry, profile: id) }
    }

    func profile(_ entry: ProfileEntry) -> Profile {
        entry.profile(withPinLength: remembersPinLengths)
    }
}
