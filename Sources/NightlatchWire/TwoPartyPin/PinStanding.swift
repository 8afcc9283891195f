/// The state of a device's two-party PIN at the relying party.
public struct PinStanding: Codable, Hashable, Sendable {
    /// The current epoch, whose slot opens the vault. Nil if there is none.
    public let epoch: PinEpoch?
    /// An open candidate: an epoch that was opened and neither promoted nor abandoned yet.
    public let candidate: PinEpoch?
    /// The number of the next epoch to open.
    public let nextEpoch: PinEpoch
    public let window: PinWindow
    /// The number of guesses that remain in the window. At 0, the next guess destroys all keys.
    public let triesLeft: Int
    /// Whether the device key needs an enrolment code to open an epoch. It does if an epoch existed before, or if the
    /// guesses were used up.
    public let isCodeRequired: Bool
    /// The time until the relying party charges the next guess. Nil if it charges one now.
    public let wait: PinWait?
    /// The time of the relying party's clock, for dating messages.
    public let issuedAt: NumericDate

    public init(
        epoch: PinEpoch?,
        candidate: PinEpoch?,
        nextEpoch: PinEpoch,
        window: PinWindow,
        triesLeft: Int,
        isCodeRequired: Bool,
        wait: PinWait? = nil,
        issuedAt: NumericDate
    ) {
        self.epoch = epoch
        self.candidate = candidate
        self.nextEpoch = nextEpoch
        self.window = window
        self.triesLeft = triesLeft
        self.isCodeRequired = isCodeRequired
        self.wait = wait
        self.issuedAt = issuedAt
    }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        epoch = try members.optionalValue("epoch")
        candidate = try members.optionalValue("candidate")
        nextEpoch = try members.value("next_epoch")
        window = try members.value("window")
        triesLeft = try members.triesLeft()
        isCodeRequired = try members.value("is_code_required")
        wait = try members.optionalValue("wait_seconds")
        issuedAt = try members.value("issued_at")
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, candidate, window
        case nextEpoch = "next_epoch"
        case triesLeft = "tries_left"
        case isCodeRequired = "is_code_required"
        case wait = "wait_seconds"
        case issuedAt = "issued_at"
    }
}
