public import Crypto
public import NightlatchWire

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

/// A guess that was charged, and the window that it counts in.
public struct HardenedGuess: Hashable, Sendable {
    public let id: PinGuessID
    public let window: PinWindow

    public init(id: PinGuessID, window: PinWindow) {
        self.id = id
        self.window = window
    }
}

/// What a guess brought.
public struct HardenedPin: Sendable {
    /// The key material.
    public let key: SymmetricKey
    public let guess: HardenedGuess
    /// All guesses since the count began, this one among them. Those that the device was never told of are somebody else's.
    public let charged: PinGuessIDs
    /// How many guesses are left after this one.
    public let triesLeft: Int

    public init(key: SymmetricKey, guess: HardenedGuess, charged: PinGuessIDs, triesLeft: Int) {
        self.key = key
        self.guess = guess
        self.charged = charged
        self.triesLeft = triesLeft
    }
}
