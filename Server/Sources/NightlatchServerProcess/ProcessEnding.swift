import Dispatch
import Foundation
import Synchronization

/// The end of a process that was started here, by the system's own word (`waitpid`).
///
/// On some systems `Process` goes by a socket instead, which ends with the process, and with every other one that was started at the same
/// moment and inherited it: one of those that lives on keeps whoever waits waiting.
final class ProcessEnding: Sendable {
    /// How long `Process` may take to say what it knows.
    private static let noticeLimit = DispatchTimeInterval.seconds(10)

    private let found = Mutex<Int32?>(nil)
    private let waiting = DispatchGroup()

    /// Starts a process.
    ///
    /// - Throws: What the system said.
    init(starting process: Process) throws {
        let noticed = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in noticed.signal() }
        try process.run()
        waiting.enter()
        DispatchQueue(label: "nightlatch.process-ending").async { [self] in
            let status = Self.status(of: process, noticed)
            found.withLock { $0 = status }
            waiting.leave()
        }
    }

    /// Its exit status, -1 if a signal ended it or nobody knows how it ended; nil while it runs.
    var status: Int32? { found.withLock(\.self) }

    /// As ``status``, once it has ended; nil if it has not within so long.
    func status(within limit: DispatchTimeInterval) -> Int32? {
        _ = waiting.wait(timeout: .now() + limit)
        return status
    }

    private static func status(of process: Process, _ noticed: DispatchSemaphore) -> Int32 {
        var status: Int32 = 0
        var found: pid_t
        repeat {
            found = unsafe waitpid(process.processIdentifier, &status, 0)
        } while found == -1 && errno == EINTR
        guard found == -1 else {
            // The low seven bits are a signal's, as the macros of sys/wait.h have it on Linux and on Apple systems.
            return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
        }
        // `Process` was faster, and says so at once.
        guard noticed.wait(timeout: .now() + noticeLimit) == .success else { return -1 }
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }
}
