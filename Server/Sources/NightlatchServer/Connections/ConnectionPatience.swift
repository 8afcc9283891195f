import NIOCore

/// How long a connection may keep the server waiting, and the task that looks whether it has.
///
/// What moves the time on costs nothing: it is looked at when the task runs, which then waits for what is left.
struct ConnectionPatience {
    /// What the server waits for.
    enum Wait {
        /// For itself: a request is being answered.
        case answer
        /// For a request, or for the other side to take the answers that were written.
        case request
        /// For the rest of a request.
        case rest(since: NIODeadline)
        /// For the other side to close the connection, of which it has been told.
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

    /// Long enough for an answer to be read before the connection is gone, which what comes in meanwhile would else tear down
    /// ([RFC 9112, section 9.6](https://www.rfc-editor.org/rfc/rfc9112#section-9.6)).
    private static let farewellTime = TimeAmount.seconds(2)

    private let idleTime: TimeAmount
    private let arrivalTime: TimeAmount
    private let eventLoop: any EventLoop
    /// When the connection began, or brought its last answer.
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

    /// Until when `wait` may last. What is waited for behind a request that is being answered has its time from that answer on.
    func end(of wait: Wait) -> NIODeadline {
        switch wait {
        case .answer: eventLoop.now + idleTime
        case .request: lastAnswer + idleTime
        case .rest(let start): max(start, lastAnswer) + arrivalTime
        case .farewell(let start): start + Self.farewellTime
        }
    }

    /// Sees to it that `body` is called at the end of `wait`, if not before.
    mutating func check(atEndOf wait: Wait, _ body: @escaping () -> Void) {
        let time = end(of: wait)
        if let check, check.time <= time { return }
        check?.task.cancel()
        check = (eventLoop.assumeIsolated().scheduleTask(deadline: time, body), time)
    }

    /// The task has run, or is not to.
    mutating func stopChecking() {
        check?.task.cancel()
        check = nil
    }
}
