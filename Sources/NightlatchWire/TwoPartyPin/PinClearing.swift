/// The result of a proof or a promotion: the count of guesses was cleared.
public struct PinClearing: Codable, Hashable, Sendable {
    /// The epoch that is current now.
    public let epoch: PinEpoch
    /// The new window.
    public let window: PinWindow
    /// The guesses that were cleared, including the right one, oldest first. Charged guesses that are not listed still
    /// count.
    public let cleared: PinGuessIDs
    /// The time of the relying party's clock, for dating messages.
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
