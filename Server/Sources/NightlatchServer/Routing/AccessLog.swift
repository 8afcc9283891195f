/// A log of answered requests.
///
/// It is separate from the logger, because nearly all of a server's log lines are of this kind. Building a line with
/// fixed fields takes a fraction of the time that a `LogHandler` needs, which gets the fields as a dictionary.
public protocol AccessLog: Sendable {
    /// Logs a request.
    ///
    /// Called before the answer is sent, by several threads at the same time. All connections of the thread wait for
    /// the call, so it must return soon. A request is answered even if it cannot be logged.
    func write(_ request: AnsweredRequest)
}
