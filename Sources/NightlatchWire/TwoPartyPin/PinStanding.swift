/// How a device stands with its two-party PIN.
public struct PinStanding: Codable, Hashable, Sendable {
    /// The epoch whose slot opens the vault; nil if there is none.
    public let epoch: PinEpoch?
    /// An epoch that was opened and neither promoted nor abandoned yet.
    public let candidate: PinEpoch?
    /// The epoch that can be opened next.
    public let nextEpoch: PinEpoch
    public let window: PinWindow
    /// How many guesses the window has left. At 0 the next one destroys all keys.
    public let triesLeft: Int
    /// Whether the device key opens an epoch only with an enrolment code: there was one before, or the guesses were used up.
    public let isCodeRequired: Bool
    /// The relying party's clock, to date messages by.
    public let issuedAt: NumericDate

    public init(
        epoch: PinEpoch?,
        candidate: PinEpoch?,
        nextEpoch: PinEpoch,
        window: PinWindow,
        triesLeft: Int,
        isCodeRequired: Bool,
        issuedAt: NumericDate
    ) {
        self.epoch = epoch
        self.candidate = candidate
        self.nextEpoch = nextEpoch
        self.window = window
        self.triesLeft = triesLeft
        self.isCodeRequired = isCodeRequired
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
        issuedAt = try members.value("issued_at")
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, candidate, window
        case nextEpoch = "next_epoch"
        case triesLeft = "tries_left"
        case isCodeRequired = "is_code_required"
        case issuedAt = "issued_at"
    }
}
