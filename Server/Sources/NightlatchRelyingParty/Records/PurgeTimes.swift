public import NightlatchWire

/// The times before which a store may delete expired records. They do not depend on the store's own clock.
///
/// The store's clock may be ahead for a while. If the store deleted the record of a used challenge because of that, it
/// would accept the challenge again once the clock is corrected.
public struct PurgeTimes: Hashable, Sendable {
    /// For records that live for minutes: used challenges, and answered questions of journeys.
    ///
    /// Nil while none may be deleted.
    public let brief: NumericDate?
    /// For all other records. Nil while none may be deleted.
    public let lasting: NumericDate?
    /// The limit to which lifetimes are shortened. Nil while none may be shortened.
    public let limit: ExpiryLimit?

    public init(brief: NumericDate?, lasting: NumericDate?, limit: ExpiryLimit? = nil) {
        self.brief = brief
        self.lasting = lasting
        self.limit = limit
    }
}
