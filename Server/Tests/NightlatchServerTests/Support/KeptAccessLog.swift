import NightlatchServer
import Synchronization

/// Keeps what it is told of answered requests.
final class KeptAccessLog: AccessLog {
    private let requests = Mutex<[AnsweredRequest]>([])

    /// In the order in which they were answered.
    var all: [AnsweredRequest] { requests.withLock(\.self) }

    func write(_ request: AnsweredRequest) {
        requests.withLock { $0.append(request) }
    }
}
