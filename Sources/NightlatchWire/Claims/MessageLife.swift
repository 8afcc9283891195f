/// The lifetime of signed messages. Client and server use the same values.
public enum MessageLife {
    /// The maximum time from `iat` to `exp` of a binding, a login or a decision: 60 seconds.
    public static let ofAssertions = Duration.seconds(60)
    /// The maximum difference between a message's `iat` and the relying party's clock, in either direction: 60 seconds.
    public static let clockTolerance = Duration.seconds(60)
}
