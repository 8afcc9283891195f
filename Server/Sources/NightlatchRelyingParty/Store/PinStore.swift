public import NightlatchWire

/// What a relying party remembers of two-party PINs. As with the other verbs of a ``RelyingPartyStore``, each is one transaction.
public protocol PinStore: Sendable {
    /// How a device stands; the state of one that never opened an epoch for one that has none, or is not there. Writes nothing.
    func pinHardening(of device: DeviceID) async throws(StoreError) -> PinHardening

    /// How a device stands, if its state names `key`; nil if it does not, or there is none. Writes nothing.
    ///
    /// A state that does not name the key is not decoded. So asking with a stranger's key takes the same time whether the device has a PIN or
    /// not.
    func pinHardening(of device: DeviceID, naming key: KeyID) async throws(StoreError) -> PinHardening?

    /// Carries a step out, or refuses it: charges a guess, clears the count, opens, promotes or abandons an epoch.
    ///
    /// Of any number of guesses at once no more than the limit are charged, whichever process asks; a guess that is charged stays so,
    /// whatever dies afterwards. The same step again has the same outcome and no second effect.
    func recordPinStep(
        _ step: PinStep,
        of device: DeviceID,
        user: UserID
    ) async throws(StoreError) -> PinStepOutcome

    /// Destroys the keys of two-party PINs whose last guess was left unproved for ten minutes, whether anybody asks or not, and of those devices
    /// the keys that nobody can read. Again changes nothing. It is not one transaction but one for each device.
    ///
    /// - Parameter guessLimit: How many guesses a window has now: where that leaves some, nothing is due.
    /// - Throws: ``StoreError`` `corrupt`, once all others were seen to, if some could not be read. Their keys are destroyed by then.
    func destroyDuePinKeys(guessLimit: Int) async throws(StoreError)
}
