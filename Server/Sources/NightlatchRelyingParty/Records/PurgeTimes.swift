public import NightlatchWire

/// Up to which times a store may forget what has expired, whatever its own clock says: that clock may be ahead for a while, and what was
/// forgotten because of it would serve again once it is put right.
public struct PurgeTimes: Hashable, Sendable {
    /// For what lives for minutes: used challenges, and questions of journeys that were answered. Nil while nothing of it may be forgotten.
    public let brief: NumericDate?
    /// For everything else. Nil while nothing of it may be forgotten.
    public let lasting: NumericDate?
    /// To what the ends of lives are cut. Nil while nothing may be cut.
    public let limit: ExpiryLimit?

    public init(brief: NumericDate?, lasting: NumericDate?, limit: ExpiryLimit? = nil) {
        self.brief = brief
        self.lasting = lasting
        self.limit = limit
    }
}
