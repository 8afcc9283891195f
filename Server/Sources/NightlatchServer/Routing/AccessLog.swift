/// Where it is written down that a request was answered.
///
/// A log of its own, since this is nearly all that a server writes: a line that always has the same fields is put together in a fraction of
/// what a `LogHandler` takes, which is given them as a dictionary.
public protocol AccessLog: Sendable {
    /// Writes a request down.
    ///
    /// Called before the answer is sent, by several threads at once. As long as it takes, all connections of its thread wait, so it returns
    /// soon. A request that cannot be written down is answered all the same.
    func write(_ request: AnsweredRequest)
}
