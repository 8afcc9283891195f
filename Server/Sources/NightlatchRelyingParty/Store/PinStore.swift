public import NightlatchWire

/// The two-party PIN state of a relying party. Each verb is one transaction, as in ``RelyingPartyStore``.
public protocol PinStore: Sendable {
    /// The PIN state of a device; the initial state if it never opened an epoch or does not exist. Writes nothing.
    func pinHardening(of device: DeviceID) async throws(StoreError) -> PinHardening

    /// The PIN state of a device if it contains `key`; nil if it does not, or if there is none. Writes nothing.
    ///
    /// A state that does not contain the key is not decoded. A query with an attacker's key therefore takes the same
    /// time whether or not the device has a PIN.
    func pinHardening(of device: DeviceID, naming key: KeyID) async throws(StoreError) -> PinHardening?

    /// Carries out a step, or refuses it: charges a guess, clears the count, opens, promotes or abandons an epoch.
    ///
    /// At most the limit of parallel guesses is charged, across all processes. A charged guess stays charged after a
    /// crash. The same step again has the same outcome and no second effect.
    func recordPinStep(
        _ step: PinStep,
        of device: DeviceID,
        user: UserID
    ) async throws(StoreError) -> PinStepOutcome

    /// Destroys the keys of two-party PINs whose last guess was not proved within ten minutes, even if no client asks,
    /// and the keys of devices whose state is unreadable.
    ///
    /// Idempotent. Runs one transaction for each device.
    ///
    /// - Parameter guessLimit: The largest number of guesses in a window. A device that has a guess left under this
    ///   limit keeps its keys.
    /// - Throws: ``StoreError`` `corrupt` if some states were unreadable, after all devices were handled. The keys of
    ///   the unreadable states are destroyed by then.
    func destroyDuePinKeys(guessLimit: Int) async throws(StoreError)
}
