/// Where it is written down that a request was answered.
///
/// A log of its own, since this is nearly all that a server writes: a line that always has the same fields is put together
/// in a fraction of what a `LogHandler` takes, which is given them as a dictionary.
public protocol AccessLog: Sendable {
    /// Writes a request down.
    ///
    /// It is called before the answer is sent, by the thread that answers all requests of some connections, so it does not wait. A request that
    /// cannot be written down is answered all the same.
    func write(_ request: AnsweredRequest)
}
