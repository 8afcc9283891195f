import NightlatchServer
import Synchronization

/// An access log that keeps the answered requests.
final class KeptAccessLog: AccessLog {
    private let requests = Mutex<[AnsweredRequest]>([])

    /// The requests in the order of their answers.
    var all: [AnsweredRequest] { requests.withLock(\.self) }

    func write(_ request: AnsweredRequest) {
        requests.withLock { $0.append(request) }
    }
}
