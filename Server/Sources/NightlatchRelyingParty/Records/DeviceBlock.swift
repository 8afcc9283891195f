public import NightlatchWire

/// The time at which a device was blocked, and the kind of party that blocked it. The audit log has its name.
public struct DeviceBlock: Hashable, Sendable {
    public let at: NumericDate
    public let actor: ActingParty.Kind

    public init(at time: NumericDate, by actor: ActingParty.Kind) {
        at = time
        self.actor = actor
    }

    /// Decodes the columns of a block.
    ///
    /// - Throws: ``RelyingPartyStoreError`` `corrupt` for an unknown actor.
    package init?(at seconds: Int?, by word: String?) throws(RelyingPartyStoreError) {
        guard let seconds else { return nil }
        guard let actor = word.flatMap(ActingParty.Kind.init) else { throw RelyingPartyStoreError(.corrupt) }
        self.init(at: NumericDate(secondsSince1970: seconds), by: actor)
    }
}
