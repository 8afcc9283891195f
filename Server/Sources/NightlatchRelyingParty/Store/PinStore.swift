public import NightlatchWire

/// The two-party PIN state of a relying party. Each verb is one transaction, as in ``RelyingPartyStore``.
public protocol PinStore: Sendable {
    /// The PIN state of a device; the initial state if it never opened an epoch or does not exist. Writes nothing.
    func pinHardening(of device: DeviceID) async throws(RelyingPartyStoreError) -> PinHardening

    /// The PIN state of a device if it contains `key`; nil if it does not, or if there is none. Writes nothing.
    ///
    /// A state that does not contain the key is not decoded. A query with an attacker's key therefore takes the same
    /// time whether or not the device has a PIN.
    func pinHardening(of device: DeviceID, naming key: KeyID) async throws(RelyingPartyStoreError) -> PinHardening?

    /// Carries out a step, or refuses it: charges a guess, clears the count, opens, promotes or abandons an epoch.
    ///
    /// Across all processes together, at most as many parallel guesses are charged as ``PinStep/rounds`` allow until
    /// the next wait. A charged guess stays charged after a crash. The same step again has the same outcome and no
    /// second effect.
    ///
    /// - Throws: ``RelyingPartyStoreError`` `unavailable` if a new epoch's key is sealed under a master key that was
    ///   replaced, or if a guess's key is sealed under a master key that the process does not know. Nothing is charged.
    func recordPinStep(
        _ step: PinStep,
        of device: DeviceID,
        user: UserID
    ) async throws(RelyingPartyStoreError) -> PinStepOutcome

    /// Destroys the keys of two-party PINs whose last guess was not proved within ten minutes, and the keys of devices
    /// whose state is unreadable.
    ///
    /// Without this call, the keys would remain until the next step for the device.
    ///
    /// Idempotent. Runs one transaction for each device.
    ///
    /// - Parameter guessLimit: The largest number of guesses in a window. A device that has a guess left under this
    ///   limit keeps its keys.
    /// - Throws: ``RelyingPartyStoreError`` `corrupt` if some states were unreadable, after all devices were handled.
    ///   The keys of the unreadable states are destroyed by then.
    func destroyDuePinKeys(guessLimit: Int) async throws(RelyingPartyStoreError)
}
