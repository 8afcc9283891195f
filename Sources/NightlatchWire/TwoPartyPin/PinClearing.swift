/// The count was cleared, by a proof or by a promotion.
public struct PinClearing: Codable, Hashable, Sendable {
    /// The epoch that is current now.
    public let epoch: PinEpoch
    /// The window that began.
    public let window: PinWindow
    /// The guesses that were cleared, the one that was right among them, oldest first. Those that were charged and are not here count on.
    public let cleared: PinGuessIDs
    /// The relying party's clock, to date messages by.
    public let issuedAt: NumericDate

    public init(epoch: PinEpoch, window: PinWindow, cleared: PinGuessIDs, issuedAt: NumericDate) {
        self.epoch = epoch
        self.window = window
        self.cleared = cleared
        self.issuedAt = issuedAt
    }

    private enum CodingKeys: String, CodingKey {
        case epoch, window, cleared
        case issuedAt = "issued_at"
    }
}
