public import NightlatchWire

/// Gives a PIN slot key material that is not on the device's disk: who wants to try a PIN must ask for it, and is counted where it
/// lies. It may lie with a relying party (`docs/two-party-pin.md`) or in a chip.
///
/// Keys come in epochs. An epoch is opened as a candidate, and takes the current one's place by being promoted, or is abandoned; at most
/// one of each is live, and a number is never given twice. Every verb may be called again after an answer was lost, with the same
/// outcome and no second effect.
public protocol PinHardener: Sendable {
    /// The device that this hardener is for, where it lies in a chip of that device; nil, which is the default, for one that serves the
    /// device of a vault's binding.
    ///
    /// With its own device a hardener takes no binding and asks nobody who opens, promotes or abandons; a vault is made with it from the
    /// first write on. It is never out of reach, tells of nobody else's guesses, and keeps a candidate that was hardened for as long as no
    /// epoch is current.
    var ownDevice: HardenedDevice? { get }

    /// What opens an epoch of a device that has no knowledge key: its device key, out of the vault that holds the binding.
    ///
    /// - Parameters:
    ///   - binding: The binding that the vault holds.
    ///   - password: What the device key is sealed under.
    ///   - code: Proof of full credentials, where the device had an epoch before.
    func opener(
        for binding: DeviceBinding,
        password: borrowing SecretBytes,
        code: EnrolmentCode?
    ) async throws(PinHardenerError) -> PinEpochOpener

    /// Which epochs are live. Nothing is charged.
    func standing(of device: HardenedDevice) async throws(PinHardenerError) -> PinStanding

    /// Opens the next epoch as a candidate, in the place of one that there may be.
    func open(_ device: HardenedDevice, by opener: PinEpochOpener) async throws(PinHardenerError) -> HardenedEpoch

    /// Charges a guess, then gives the key material for `input`: always the same for the same input and epoch.
    ///
    /// Within the life of this value the same input is the same guess while no answer has come, so a lost answer costs none.
    ///
    /// - Parameters:
    ///   - input: What was made of the PIN.
    ///   - epoch: The key.
    ///   - window: The window that the device was told last, if it was told one: it saves a question, and may be over.
    /// - Throws: ``PinHardenerError``. Nothing could be tested then, on neither side; what was charged is counted there.
    func harden(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch,
        in window: PinWindow?
    ) async throws(PinHardenerError) -> HardenedPin

    /// Whether this value has asked for `epoch` and lost the answer, in the newest window that it has heard of and not long ago: if that had
    /// arrived, the same input charges nothing and, being right, can still be proved, also if no guess is left. A guess that is under way is none.
    func hasLostAnswer(for epoch: HardenedEpoch) async -> Bool

    /// Says, by the knowledge key that only a right PIN gives, that `guess` was right, and which others were this device's own: these count no
    /// more. What is neither counts until another epoch is promoted.
    ///
    /// - Parameters:
    ///   - guess: The right one.
    ///   - own: The guesses that this device was told of, wrong ones among them.
    ///   - epoch: The current epoch.
    ///   - knowledgeKey: Its key.
    /// - Returns: The window that began.
    func prove(
        _ guess: HardenedGuess,
        own: PinGuessIDs,
        for epoch: HardenedEpoch,
        by knowledgeKey: KnowledgeKey
    ) async throws(PinHardenerError) -> PinWindow

    /// Makes the candidate current and destroys the epoch before; the count begins anew, save for others' guesses at the candidate. The candidate must be on disk.
    ///
    /// - Parameters:
    ///   - candidate: What was opened by `opener`.
    ///   - guess: A guess for the candidate.
    ///   - knowledgeKey: The candidate's.
    ///   - opener: What has opened it.
    /// - Returns: The window that began.
    func promote(
        _ candidate: HardenedEpoch,
        guess: HardenedGuess,
        knowledgeKey: KnowledgeKey,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> PinWindow

    /// Destroys a candidate for ever. Only after this has returned may its slot be forgotten.
    ///
    /// - Throws: ``PinHardenerError/epochPassed(_:)`` if it was promoted meanwhile.
    func abandon(
        _ candidate: PinEpoch,
        of device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError)
}

extension PinHardener {
    public var ownDevice: HardenedDevice? { nil }
}
