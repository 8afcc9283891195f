public import Crypto
public import NightlatchWire

/// Gives a PIN slot key material that is not on the device's disk: who wants to try a PIN must ask for it, and is counted where it
/// lies. It may lie with a relying party (`docs/two-party-pin.md`) or in a chip.
///
/// Keys come in epochs. An epoch is opened as a candidate, and takes the current one's place by being promoted, or is abandoned; at most
/// one of each is live, and a number is never given twice. Every verb may be called again after an answer was lost, with the same
/// outcome and no second effect.
public protocol PinHardener: Sendable {
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
    /// - Throws: ``PinHardenerError``. Nothing could be tested then, on neither side; what was charged is counted there.
    func harden(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch
    ) async throws(PinHardenerError) -> HardenedPin

    /// Says, by the knowledge key that only a right PIN gives, that `guess` was right: the count begins anew.
    func prove(
        _ guess: PinGuessID,
        for epoch: HardenedEpoch,
        by knowledgeKey: KnowledgeKey
    ) async throws(PinHardenerError)

    /// Makes the candidate current and destroys the epoch before; the count begins anew. The candidate must be on disk.
    ///
    /// - Parameters:
    ///   - candidate: What was opened by `opener`.
    ///   - guess: A guess for the candidate.
    ///   - knowledgeKey: The candidate's.
    func promote(
        _ candidate: HardenedEpoch,
        guess: PinGuessID,
        knowledgeKey: KnowledgeKey,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError)

    /// Destroys a candidate for ever. Only after this has returned may its slot be forgotten.
    ///
    /// - Throws: ``PinHardenerError/epochPassed(_:)`` if it was promoted meanwhile.
    func abandon(_ candidate: HardenedEpoch, by opener: PinEpochOpener) async throws(PinHardenerError)
}

/// Whose slot it is, as the vault's record says it in the clear: it is needed before the vault is open.
public struct HardenedDevice: Codable, Hashable, Sendable {
    public let issuer: Issuer
    public let user: UserID
    public let device: DeviceID
    /// The key that signs guesses.
    public let possessionKey: KeyTag

    public init(_ binding: DeviceBinding) {
        issuer = binding.issuer
        user = binding.user
        device = binding.device
        possessionKey = binding.keys.possessionKey
    }

    private enum CodingKeys: String, CodingKey {
        case issuer, user, device
        case possessionKey = "possession_key"
    }
}

/// A key of a hardener for one device, as the vault's record names it.
public struct HardenedEpoch: Codable, Hashable, Sendable {
    public let device: HardenedDevice
    public let epoch: PinEpoch
    /// What answers are checked against: another key's are none.
    public let publicKey: PinPublicKey

    public init(device: HardenedDevice, epoch: PinEpoch, publicKey: PinPublicKey) {
        self.device = device
        self.epoch = epoch
        self.publicKey = publicKey
    }

    private enum CodingKeys: String, CodingKey {
        case device, epoch
        case publicKey = "public_key"
    }
}

/// What opens a candidate, and promotes or abandons what it has opened.
public struct PinEpochOpener: Sendable {
    /// The device key, or the knowledge key of the current epoch.
    public let key: any DeviceKey
    public let code: EnrolmentCode?

    public init(key: any DeviceKey, code: EnrolmentCode? = nil) {
        self.key = key
        self.code = code
    }
}

/// What a guess brought.
public struct HardenedPin: Sendable {
    /// The key material.
    public let key: SymmetricKey
    public let guess: PinGuessID
    /// All guesses since the count began, this one among them. Those that the device was never told of are somebody else's.
    public let charged: PinGuessIDs
    /// How many guesses are left after this one.
    public let triesLeft: Int

    public init(key: SymmetricKey, guess: PinGuessID, charged: PinGuessIDs, triesLeft: Int) {
        self.key = key
        self.guess = guess
        self.charged = charged
        self.triesLeft = triesLeft
    }
}

/// Why a hardener gave nothing.
public enum PinHardenerError: Error, Hashable, Sendable {
    /// There was no answer, or no decision (``RelyingPartyError``): ask the same again. Without the other side no PIN opens the vault.
    case unavailable(RelyingPartyError)
    /// The answer was not made with the key that was pinned. Nothing was derived from it. Somebody is in between, or the other side has
    /// lost the key.
    case notGenuine
    /// The epoch is not live. If another slot of the device is the current one, that is to be used.
    case epochPassed(PinStanding)
    /// The guesses are used up and the keys destroyed: no PIN opens the vault any more. Open it another way, and set a new PIN by full
    /// credentials.
    case destroyed
    /// The device had an epoch before, so a new one takes an enrolment code.
    case codeNeeded
    /// The other side has decided against it, and says why: a device that was revoked or blocked, a code that is not good.
    case refused(RelyingPartyRefusal)
    /// The key that was to sign could not be used.
    case key(DeviceKeyError)
    /// The hardener does not serve this device: the slot belongs to another relying party.
    case elsewhere(HardenedDevice)
    /// The caller's task was cancelled.
    case cancelled
}
