/// The waits between the attempts to deliver an event.
///
/// The wait after the first attempt is at most a second, and the longest wait doubles with each attempt, up to an hour.
/// The wait itself is random between zero and the longest, so that many deliveries that failed together do not come
/// back together. After ``attemptLimit`` attempts, which take about two days, the delivery is a dead letter.
public enum WebhookRetry {
    /// The largest number of attempts.
    public static let attemptLimit = 100
    /// The longest wait.
    ///
    /// No time of an attempt that a store writes is further in the future. One that is was written while the clock was
    /// ahead: the delivery is due.
    public static let ceiling: Duration = .seconds(60 * 60)
    /// The wait after an attempt that sent nothing: see ``WebhookFailure/isAttempt``.
    public static let unsentWait: Duration = .seconds(60)
    /// The attempts of an event after which two answers of 410, one after the other, pause the webhook. They take about
    /// a quarter of an hour, so a mistake during a deployment of the receiver pauses nothing.
    public static let goneLimit = 12
    /// An operator ends only longer waits: within this time a delivery may be in progress.
    package static let shortWait: Duration = .seconds(30)

    /// Returns the wait after a failed attempt, in whole seconds; nil if it was the last attempt.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts so far, with the failed one.
    ///   - jitter: A random number from 0 up to 1.
    public static func wait(after attempts: Int, jitter: Double) -> Duration? {
        guard attempts < attemptLimit else { return nil }
        let ceilingSeconds = Int(ceiling.components.seconds)
        // Twelve doublings of a second are more than the ceiling.
        let longest = min(1 << min(max(attempts - 1, 0), 12), ceilingSeconds)
        let seconds = Double(longest) * min(max(jitter, 0), 1)
        return .seconds(max(1, Int(seconds.rounded(.up))))
    }
}
