import Dispatch
import Foundation
import Synchronization

/// Writes log lines to a file or pipe, on a separate thread.
///
/// - If the reader stalls (a full pipe, a stopped terminal, a disk that hangs), only that thread waits.
///   ``write(_:afterDropped:)`` never waits.
/// - Lines are dropped if the buffer has no room, or if the system refuses them (a full disk). The next line reports
///   their number.
/// - If the process is killed, lines of the last ``gatheringTime`` are lost.
package final class LogWriter: Sendable {
    /// The log of this process.
    package static let standardError = LogWriter(descriptor: STDERR_FILENO)

    /// How long lines are gathered before they are written, in seconds. Under load, one system call writes many lines.
    private static let gatheringTime = 0.005
    /// The maximum size of one write. A pipe accepts that many bytes as a whole, so lines of several processes do not
    /// mix (PIPE_BUF of POSIX, on Linux).
    private static let chunkByteCount = 4096

    /// Lines that are not written yet.
    private struct Buffer {
        /// The complete lines.
        var bytes: [UInt8] = []
        /// For each line that reports dropped lines: the offset of its end, and the number of dropped lines.
        var reports: [(end: Int, count: Int)] = []

        mutating func removeAll() {
            bytes.removeAll(keepingCapacity: true)
            reports.removeAll()
        }

        /// Returns the number of log lines that are lost if the bytes from `offset` on are not written.
        ///
        /// If these bytes contain a report, the dropped lines of the report count again. The report itself does not
        /// count.
        func lineCount(from offset: Int) -> Int {
            bytes[offset...].count { $0 == UInt8(ascii: "\n") }
                + reports.filter { $0.end > offset }.reduce(0) { $0 + $1.count - 1 }
        }
    }

    private struct State {
        var waiting = Buffer()
        /// The number of lines dropped since the last line that was accepted.
        var droppedCount = 0
        /// Whether lines were taken from `waiting` and are not all written yet.
        var isWriting = false
    }

    private let descriptor: Int32
    private let byteLimit: Int
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// Starts the thread that writes lines to `descriptor`.
    ///
    /// - Parameters:
    ///   - descriptor: The file to write to. It must stay open.
    ///   - byteLimit: The maximum number of bytes that wait to be written.
    package init(descriptor: Int32, byteLimit: Int = 1 << 20) {
        self.descriptor = descriptor
        self.byteLimit = byteLimit
        Thread.detachNewThread { [self] in
            // With SIGPIPE blocked, a pipe without a reader returns an error instead of ending the process.
            var pipeSignal = sigset_t()
            unsafe sigemptyset(&pipeSignal)
            unsafe sigaddset(&pipeSignal, SIGPIPE)
            unsafe pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
            var taken = Buffer()
            var isLineOpen = false
            // Ends: with the process; the thread sleeps until there is something to write.
            while true {
                wake.wait()
                Thread.sleep(forTimeInterval: Self.gatheringTime)
                writeWaiting(&taken, &isLineOpen)
            }
        }
    }

    /// Queues a line, or drops it if there is no room.
    ///
    /// - Parameters:
    ///   - line: The line with its line feed.
    ///   - describe: Returns a line that reports the number of dropped lines. If lines were dropped, it is written
    ///     before `line`.
    package func write(_ line: [UInt8], afterDropped describe: (Int) -> [UInt8]) {
        let isFirst = state.withLock { state in
            guard state.waiting.bytes.count + line.count <= byteLimit else {
                state.droppedCount += 1
                return false
            }
            let isFirst = state.waiting.bytes.isEmpty
            if state.droppedCount > 0 {
                state.waiting.bytes += describe(state.droppedCount)
                state.waiting.reports.append((state.waiting.bytes.count, state.droppedCount))
                state.droppedCount = 0
            }
            state.waiting.bytes += line
            return isFirst
        }
        if isFirst { wake.signal() }
    }

    /// Waits until all lines are written, but no longer than `limit`. Called before the process ends.
    package func flush(within limit: Duration) async {
        let end = ContinuousClock.now + limit
        while state.withLock({ !$0.waiting.bytes.isEmpty || $0.isWriting }), ContinuousClock.now < end {
            do {
                try await Task.sleep(for: .milliseconds(1))
            } catch {
                return
            }
        }
    }

    /// Writes the waiting lines, and counts those that the system refuses.
    ///
    /// - Parameters:
    ///   - taken: An empty buffer, which is swapped with the waiting one to reuse its memory.
    ///   - isLineOpen: Whether the last line was written only in part, because the system refused the rest.
    private func writeWaiting(_ taken: inout Buffer, _ isLineOpen: inout Bool) {
        state.withLock { state in
            swap(&state.waiting, &taken)
            state.isWriting = true
        }
        var offset = 0
        // Ends an incomplete line, so that the next line is separate from it.
        if isLineOpen, write([UInt8(ascii: "\n")]) == 1 { isLineOpen = false }
        while !isLineOpen, offset < taken.bytes.count {
            let chunk = Self.chunk(of: taken.bytes[offset...])
            let count = write(chunk)
            offset += count
            if count < chunk.count {
                isLineOpen = offset > 0 && taken.bytes[offset - 1] != UInt8(ascii: "\n")
                break
            }
        }
        let lostCount = taken.lineCount(from: offset)
        taken.removeAll()
        state.withLock { state in
            state.droppedCount += lostCount
            state.isWriting = false
        }
    }

    /// Returns the first lines of `lines` that fit in one write. If the first line is too long for that, returns only
    /// this line.
    private static func chunk(of lines: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let feed = UInt8(ascii: "\n")
        let end =
            lines.prefix(chunkByteCount).lastIndex(of: feed) ?? lines.firstIndex(of: feed)
            ?? lines.index(before: lines.endIndex)
        return lines[...end]
    }

    /// Writes `bytes`. Repeats the call if it writes only a part or is interrupted, or if the file has no room at the
    /// moment.
    ///
    /// - Returns: The number of bytes written, which is smaller if the system refuses the rest. The server continues in
    ///   any case.
    private func write(_ bytes: ArraySlice<UInt8>) -> Int {
        unsafe bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = unsafe Foundation.write(
                    descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
                if count > 0 {
                    offset += count
                } else if count < 0, errno == EAGAIN {
                    // Another process that shares the file has made it non-blocking.
                    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&room, 1, -1)
                } else if count == 0 || errno != EINTR {
                    break
                }
            }
            return offset
        }
    }
}
