import Dispatch
import Foundation
import Synchronization

/// Waits for the end of a child process with `waitpid`.
///
/// On some systems, `Process` instead waits until a socket is closed. Other children that were started at the same time
/// inherit this socket. So `Process` also waits for the end of those children.
final class ProcessEnding: Sendable {
    /// How long `Process` may take to report the end.
    private static let noticeLimit = DispatchTimeInterval.seconds(10)

    private let found = Mutex<Int32?>(nil)
    private let waiting = DispatchGroup()

    /// Starts a process.
    ///
    /// - Throws: An error of the system.
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

    /// The exit status; -1 if a signal ended the process or if the status is unknown; nil while it runs.
    var status: Int32? { found.withLock(\.self) }

    /// Waits for the end and returns ``status``; nil if the process has not ended within `limit`.
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
            // The low seven bits are the number of a signal, as in the macros of sys/wait.h on Linux and on Apple
            // systems.
            return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
        }
        // `Process` has reaped the child before `waitpid` could, and soon reports the end.
        guard noticed.wait(timeout: .now() + noticeLimit) == .success else { return -1 }
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }
}
