#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security) && !os(tvOS) && !os(watchOS)
public import Nightlatch

extension ChipPinHardener {
    /// The hardener in the Secure Enclave: a copy of all files and of the Keychain says nothing about the PIN, and each PIN that is tried
    /// takes the chip of this device.
    ///
    /// ```swift
    /// let hardener = ChipPinHardener.secureEnclave(name: "vault", service: "com.example.app")
    /// let vault = Vault(store: store, clock: SystemLockoutClock(), hardener: hardener)
    /// ```
    ///
    /// The chip is not known to count: what holds up somebody who runs code in the app's place on the unlocked device is the stretching
    /// and the chip's slowness.
    ///
    /// - Parameters:
    ///   - name: The hardener's own name, such as that of its vault; not empty.
    ///   - service: The app's own name for its items in the Keychain.
    ///   - accessGroup: As of ``KeychainStore``.
    public static func secureEnclave(
        name: String,
        service: String,
        accessGroup: String? = nil
    ) -> ChipPinHardener {
        secureEnclave(name: name, service: service, accessGroup: accessGroup, keychain: .system, calls: .system)
    }
}
#endif
