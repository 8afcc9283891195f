/// How long signed messages live. Client and server both hold to it.
public enum MessageLife {
    /// The longest time from `iat` to `exp` of a binding, a login or a decision: 60 seconds.
    public static let ofAssertions = Duration.seconds(60)
    /// The greatest difference between a message's `iat` and the relying party's clock, either way: 60 seconds.
    public static let clockTolerance = Duration.seconds(60)
}
