import NIOCore

/// Limits how long a connection may keep the server waiting.
///
/// Extending the time costs nothing: the scheduled task checks the time when it runs, and schedules itself again for
/// the time that remains.
struct ConnectionPatience {
    /// An event that the server waits for.
    enum Wait {
        /// The server itself answers a request.
        case answer
        /// The client sends a request, or reads the answers that were written.
        case request
        /// The client sends the rest of a request.
        case rest(since: NIODeadline)
        /// The client closes the connection, after the server has closed its sending half.
        case farewell(since: NIODeadline)

        init(_ intake: RequestIntake, _ ending: ConnectionEnding) {
            if let time = ending.toldAt {
                self = .farewell(since: time)
            } else if intake.queue.isAnswering {
                self = .answer
            } else if let time = intake.restAwaitedSince {
                self = .rest(since: time)
            } else {
                self = .request
            }
        }
    }

    /// How long the server waits for the client to close the connection after the last answer.
    ///
    /// It must be long enough for the client to read the answer. If the server closed at once, data that arrives
    /// afterwards would reset the connection
    /// ([RFC 9112, section 9.6](https://www.rfc-editor.org/rfc/rfc9112#section-9.6)).
    private static let farewellTime = TimeAmount.seconds(2)

    private let idleTime: TimeAmount
    private let arrivalTime: TimeAmount
    private let eventLoop: any EventLoop
    /// When the connection began, or when its last answer was written.
    private var lastAnswer: NIODeadline
    private var check: (task: Scheduled<Void>, time: NIODeadline)?

    init(idleTime: TimeAmount, arrivalTime: TimeAmount, on eventLoop: any EventLoop) {
        self.idleTime = idleTime
        self.arrivalTime = arrivalTime
        self.eventLoop = eventLoop
        lastAnswer = eventLoop.now
    }

    mutating func markAnswer() {
        lastAnswer = eventLoop.now
    }

    /// Returns the time at which `wait` has lasted too long.
    ///
    /// If a request arrives while another is being answered, its time starts after that answer.
    func end(of wait: Wait) -> NIODeadline {
        switch wait {
        case .answer: eventLoop.now + idleTime
        case .request: lastAnswer + idleTime
        case .rest(let start): max(start, lastAnswer) + arrivalTime
        case .farewell(let start): start + Self.farewellTime
        }
    }

    /// Schedules a call of `body` at the end of `wait` or earlier.
    mutating func check(atEndOf wait: Wait, _ body: @escaping () -> Void) {
        let time = end(of: wait)
        if let check, check.time <= time { return }
        check?.task.cancel()
        check = (eventLoop.assumeIsolated().scheduleTask(deadline: time, body), time)
    }

    /// Cancels the scheduled check, or forgets it after it has run.
    mutating func stopChecking() {
        check?.task.cancel()
        check = nil
    }
}
