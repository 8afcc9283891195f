public import Crypto
public import NightlatchWire

/// The device that a hardened slot belongs to. It is readable in the vault's record, because it is needed before the
/// vault is open.
public struct HardenedDevice: Hashable, Sendable {
    /// The identity and keys with which a device asks a relying party.
    public struct Account: Hashable, Sendable {
        public let issuer: Issuer
        public let user: UserID
        /// The key that signs guesses.
        public let possessionKey: KeyTag
        /// The key with which the relying party signs its answers; the device ignores answers by any other key. Nil
        /// until one is known.
        public let answerKey: PublicJWK?
    }

    /// The relying party's id of the device, or the id of a hardener in the device's chip.
    public let device: DeviceID
    /// Nil for a hardener in the device's chip, which asks no relying party.
    public let account: Account?

    public init(_ binding: DeviceBinding) {
        device = binding.device
        account = Account(
            issuer: binding.issuer, user: binding.user, possessionKey: binding.keys.possessionKey,
            answerKey: binding.answerKey)
    }

    /// Returns this device with `key` pinned as its answer key. Returns it unchanged if it has a pinned key already, or
    /// no relying party.
    ///
    /// - Parameter key: The key that the relying party has named; nil if it has named none.
    public func pinning(_ key: PublicJWK?) -> HardenedDevice {
        guard let account, account.answerKey == nil, let key else { return self }
        return HardenedDevice(
            device: device,
            account: Account(
                issuer: account.issuer, user: account.user, possessionKey: account.possessionKey, answerKey: key))
    }

    private init(device: DeviceID, account: Account) {
        self.device = device
        self.account = account
    }

    /// Creates a device that asks its own chip.
    package init(chip device: DeviceID) {
        self.device = device
        account = nil
    }
}

extension HardenedDevice: Codable {
    private enum CodingKeys: String, CodingKey {
        case issuer, user, device
        case possessionKey = "possession_key"
        case answerKey = "answer_key"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        device = try container.decode(DeviceID.self, forKey: .device)
        let ofAccount: [CodingKeys] = [.issuer, .user, .possessionKey]
        guard ofAccount.contains(where: container.contains) else {
            account = nil
            return
        }
        account = Account(
            issuer: try container.decode(Issuer.self, forKey: .issuer),
            user: try container.decode(UserID.self, forKey: .user),
            possessionKey: try container.decode(KeyTag.self, forKey: .possessionKey),
            answerKey: try container.decodeIfPresent(PublicJWK.self, forKey: .answerKey))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(device, forKey: .device)
        try container.encodeIfPresent(account?.issuer, forKey: .issuer)
        try container.encodeIfPresent(account?.user, forKey: .user)
        try container.encodeIfPresent(account?.possessionKey, forKey: .possessionKey)
        try container.encodeIfPresent(account?.answerKey, forKey: .answerKey)
    }
}

/// A hardener's key for one device, as the vault's record names it.
public struct HardenedEpoch: Codable, Hashable, Sendable {
    public let device: HardenedDevice
    public let epoch: PinEpoch
    /// The key that answers are checked against; an answer by another key is ignored. A chip has no such key; random
    /// bytes of this form identify its epoch.
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

/// The key that opens a candidate, and promotes or abandons the candidate that it has opened.
public struct PinEpochOpener: Sendable {
    /// The device key, or the knowledge key of the current epoch.
    public let key: any DeviceKey
    public let code: EnrolmentCode?

    public init(key: any DeviceKey, code: EnrolmentCode? = nil) {
        self.key = key
        self.code = code
    }

    /// An opener for a hardener that checks none: a new key that has signed nothing.
    static var nobody: PinEpochOpener { PinEpochOpener(key: KnowledgeKey.random()) }
}

/// A guess that was charged, and the window that it counts in.
public struct HardenedGuess: Hashable, Sendable {
    public let id: PinGuessID
    public let window: PinWindow

    public init(id: PinGuessID, window: PinWindow) {
        self.id = id
        self.window = window
    }
}

/// The hardener's answer to a guess.
public struct HardenedPin: Sendable {
    /// The key material.
    public let key: SymmetricKey
    public let guess: HardenedGuess
    /// All guesses since the count began, including this one. Those with ids that the device never received are
    /// foreign.
    public let charged: PinGuessIDs
    /// The number of guesses that are left after this one until the hardener destroys its keys; nil if it never does.
    public let triesLeft: Int?
    /// After a wrong input, the time during which the hardener tries no input, not even the right one. Nil if it tries
    /// the next input at once.
    public let wait: Duration?

    public init(
        key: SymmetricKey,
        guess: HardenedGuess,
        charged: PinGuessIDs,
        triesLeft: Int?,
        wait: Duration? = nil
    ) {
        self.key = key
        self.guess = guess
        self.charged = charged
        self.triesLeft = triesLeft
        self.wait = wait
    }

    /// Whether at most one guess is left after this one.
    var isNearlyLast: Bool { triesLeft.map { $0 <= 1 } ?? false }
}
