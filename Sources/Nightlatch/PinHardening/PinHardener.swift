public import NightlatchWire

/// Gives a PIN slot key material that is not on the device's disk.
///
/// Each trial of a PIN must ask the hardener, which counts the trial. A hardener is at a relying party
/// (`docs/two-party-pin.md`) or in a chip.
///
/// Keys come in epochs. An epoch is opened as a candidate. When it is promoted, it replaces the current epoch;
/// otherwise it is abandoned. At most one candidate and one current epoch are live, and an epoch's number is never used
/// twice. Every method may be called again after an answer was lost, with the same outcome and no second effect.
public protocol PinHardener: Sendable {
    /// The device of a hardener that is in a chip of this device. Nil, the default, for a hardener that serves the
    /// device of a vault's binding.
    ///
    /// A hardener with its own device takes no binding, and checks no opener when an epoch is opened, promoted or
    /// abandoned. A new vault uses it from the first write on. It is never unreachable, and reports no foreign guesses.
    /// It keeps a hardened candidate as long as no epoch is current.
    var ownDevice: HardenedDevice? { get }

    /// Returns the opener of an epoch for a device without a knowledge key: its device key, from the vault that holds
    /// the binding.
    ///
    /// - Parameters:
    ///   - binding: The binding in the vault.
    ///   - password: The password that the device key is sealed under.
    ///   - code: An enrolment code as proof of full credentials, if the device had an epoch before.
    func opener(
        for binding: DeviceBinding,
        password: borrowing SecretBytes,
        code: EnrolmentCode?
    ) async throws(PinHardenerError) -> PinEpochOpener

    /// Returns the live epochs. Nothing is charged.
    func standing(of device: HardenedDevice) async throws(PinHardenerError) -> PinStanding

    /// Opens the next epoch as a candidate, and replaces an earlier candidate.
    func open(_ device: HardenedDevice, by opener: PinEpochOpener) async throws(PinHardenerError) -> HardenedEpoch

    /// Charges a guess, then returns the key material for `input`: always the same for the same input and epoch.
    ///
    /// If the answer was lost, the next call with the same input on this value repeats the same guess. So a lost answer
    /// costs no further guess.
    ///
    /// - Parameters:
    ///   - input: The value derived from the PIN.
    ///   - epoch: The epoch to use.
    ///   - window: The last window that the device knows; nil if it knows none. It may have ended. If it is still
    ///     current, hardening needs one request less.
    /// - Throws: ``PinHardenerError``. Then neither side has tested the PIN. If the guess was charged, it counts at the
    ///   hardener.
    func harden(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch,
        in window: PinWindow?
    ) async throws(PinHardenerError) -> HardenedPin

    /// Returns whether this value recently sent a guess for `epoch` and got no answer, in the newest window that it
    /// knows.
    ///
    /// If that request arrived, repeating the same input charges nothing. If the input is right, the guess can still be
    /// proved, even if no guess is left. A request that is still under way is not lost.
    func hasLostAnswer(for epoch: HardenedEpoch) async -> Bool

    /// Proves with the knowledge key, which only a right PIN gives, that `guess` was right. Also names this device's
    /// own guesses. None of these guesses counts any more.
    ///
    /// Any other guess counts until another epoch is promoted.
    ///
    /// - Parameters:
    ///   - guess: The right guess.
    ///   - own: The guesses with ids that this device received, including wrong ones.
    ///   - epoch: The current epoch.
    ///   - knowledgeKey: The knowledge key of the epoch.
    /// - Returns: The window that began.
    func prove(
        _ guess: HardenedGuess,
        own: PinGuessIDs,
        for epoch: HardenedEpoch,
        by knowledgeKey: KnowledgeKey
    ) async throws(PinHardenerError) -> PinWindow

    /// Makes the candidate current and destroys the previous epoch. The candidate must be on disk.
    ///
    /// The count is reset, except that foreign guesses at the candidate still count.
    ///
    /// - Parameters:
    ///   - candidate: The epoch that `opener` has opened.
    ///   - guess: A guess for the candidate.
    ///   - knowledgeKey: The candidate's knowledge key.
    ///   - opener: The opener of the candidate.
    /// - Returns: The window that began.
    func promote(
        _ candidate: HardenedEpoch,
        guess: HardenedGuess,
        knowledgeKey: KnowledgeKey,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> PinWindow

    /// Destroys a candidate, so that it can never be promoted. Drop its slot only after this has returned.
    ///
    /// - Throws: ``PinHardenerError/epochPassed(_:)`` if it was promoted in the meantime.
    func abandon(
        _ candidate: PinEpoch,
        of device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError)
}

extension PinHardener {
    public var ownDevice: HardenedDevice? { nil }
}
