public import NightlatchWire

/// The time at which a device was blocked, and the party that blocked it.
public struct DeviceBlock: Hashable, Sendable {
    public let at: NumericDate
    public let actor: ActingParty

    public init(at time: NumericDate, by actor: ActingParty) {
        at = time
        self.actor = actor
    }

    /// Decodes the columns of a block.
    ///
    /// - Throws: ``StoreError`` `corrupt` for an unknown actor.
    package init?(at seconds: Int?, by word: String?) throws(StoreError) {
        guard let seconds else { return nil }
        guard let actor = word.flatMap(ActingParty.init) else { throw StoreError(.corrupt) }
        self.init(at: NumericDate(secondsSince1970: seconds), by: actor)
    }
}
