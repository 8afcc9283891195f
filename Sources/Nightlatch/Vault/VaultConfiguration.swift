/// The policies of a ``Vault``. Each has a default.
///
/// ```swift
/// let vault = Vault(
///     store: store, clock: SystemLockoutClock(), configuration: VaultConfiguration(lockoutPolicy: .payment))
/// ```
public struct VaultConfiguration: Sendable {
    /// The policy for wrong PINs.
    public var lockoutPolicy: LockoutPolicy
    /// The rules for new PINs. They do not apply to a PIN that is already set.
    public var pinPolicy: PinPolicy
    /// The app's own rule for new PINs. Like the policy, it does not apply to a PIN that is already set.
    public var pinRule: PinRule?
    /// The parameters that stretch new PINs; they must be within ``keyDerivationBounds``. A vault with weaker
    /// parameters is sealed again with these at the next unlock.
    public var keyDerivation: KeyDerivationParameters
    /// The parameters that are accepted when a record is read.
    public var keyDerivationBounds: KeyDerivationBounds
    /// How a PIN opens the vault while the hardener is unreachable. ``OfflinePinPolicy/local`` gives up much of the
    /// hardener's protection: read its documentation. It has no effect without a hardener, or with one in a chip,
    /// which is never unreachable.
    public var offlinePin: OfflinePinPolicy
    /// The times after which an open vault locks by itself.
    public var autoLock: AutoLock

    /// Creates a configuration without a ``pinRule``. See the properties for the parameters.
    public init(
        lockoutPolicy: LockoutPolicy = .login,
        pinPolicy: PinPolicy = .default,
        keyDerivation: KeyDerivationParameters = .default,
        keyDerivationBounds: KeyDerivationBounds = .standard,
        offlinePin: OfflinePinPolicy = .refused,
        autoLock: AutoLock = .standard
    ) {
        self.lockoutPolicy = lockoutPolicy
        self.pinPolicy = pinPolicy
        self.keyDerivation = keyDerivation
        self.keyDerivationBounds = keyDerivationBounds
        self.offlinePin = offlinePin
        self.autoLock = autoLock
    }
}
