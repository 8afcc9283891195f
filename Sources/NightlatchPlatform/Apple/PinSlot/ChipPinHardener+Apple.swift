#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security) && !os(tvOS) && !os(watchOS)
public import Nightlatch

extension ChipPinHardener {
    /// Creates a hardener in the Secure Enclave.
    ///
    /// A copy of all files and of the Keychain reveals nothing about the PIN, and each attempt needs this device's
    /// chip.
    ///
    /// ```swift
    /// let hardener = ChipPinHardener.secureEnclave(name: "vault", service: "com.example.app")
    /// let vault = Vault(store: store, clock: SystemLockoutClock(), hardener: hardener)
    /// ```
    ///
    /// The chip is not known to count attempts. Only the stretching and the chip's slowness delay an attacker who runs
    /// code as the app on the unlocked device.
    ///
    /// - Parameters:
    ///   - name: The hardener's name, such as that of its vault. Not empty.
    ///   - service: The app's name for its items in the Keychain.
    ///   - accessGroup: The access group, as for ``KeychainStore``.
    public static func secureEnclave(
        name: String,
        service: String,
        accessGroup: String? = nil
    ) -> ChipPinHardener {
        secureEnclave(name: name, service: service, accessGroup: accessGroup, keychain: .system, calls: .system)
    }
}
#endif
