import Dispatch
import Foundation
import Synchronization

/// Writes lines of the log to a file or pipe, on a thread of its own.
///
/// A reader that stalls (a full pipe, a stopped terminal, a disk that hangs) stops that thread and nothing else: ``write(_:afterDropped:)``
/// never waits for it. Lines that find no room in the buffer, or that the system refuses (a full disk), are dropped and counted: the next
/// line says how many. Lines of the last ``gatheringTime`` are lost if the process is killed.
package final class LogWriter: Sendable {
    /// The log of this process.
    package static let standardError = LogWriter(descriptor: STDERR_FILENO)

    /// How long lines are gathered for one call of the system: under load one call writes many.
    private static let gatheringTime = 0.005
    /// What one call writes at most: so much goes into a pipe whole, so lines of several processes do not mix (POSIX's PIPE_BUF, on Linux).
    private static let chunkByteCount = 4096

    /// Lines that are not written yet.
    private struct Buffer {
        /// Whole lines.
        var bytes: [UInt8] = []
        /// The lines among them that say how many were dropped: where each ends, and the number.
        var reports: [(end: Int, count: Int)] = []

        mutating func removeAll() {
            bytes.removeAll(keepingCapacity: true)
            reports.removeAll()
        }

        /// How many lines of the log are lost if the bytes from `offset` on are not written. With a report that is lost the lines that it counts
        /// are uncounted again; the report itself is no line of the log.
        func lineCount(from offset: Int) -> Int {
            bytes[offset...].count { $0 == UInt8(ascii: "\n") }
                + reports.filter { $0.end > offset }.reduce(0) { $0 + $1.count - 1 }
        }
    }

    private struct State {
        var waiting = Buffer()
        /// The lines that were dropped since the last one that was taken.
        var droppedCount = 0
        /// Lines were taken out of `waiting` and are not all written.
        var isWriting = false
    }

    private let descriptor: Int32
    private let byteLimit: Int
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - descriptor: Where lines go. It must stay open.
    ///   - byteLimit: How many bytes of lines may wait.
    package init(descriptor: Int32, byteLimit: Int = 1 << 20) {
        self.descriptor = descriptor
        self.byteLimit = byteLimit
        Thread.detachNewThread { [self] in
            // A pipe whose reader is gone refuses lines; it does not end the process.
            var pipeSignal = sigset_t()
            unsafe sigemptyset(&pipeSignal)
            unsafe sigaddset(&pipeSignal, SIGPIPE)
            unsafe pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
            var taken = Buffer()
            var isLineOpen = false
            // Ends: with the process: the thread sleeps until there is something to write.
            while true {
                wake.wait()
                Thread.sleep(forTimeInterval: Self.gatheringTime)
                writeWaiting(&taken, &isLineOpen)
            }
        }
    }

    /// Has a line written, or drops it if there is no room.
    ///
    /// - Parameters:
    ///   - line: With its line feed.
    ///   - describe: A line that says how many were dropped; it is written before `line` if any were.
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

    /// Waits until all lines are written, or for `limit` at most: before the process ends.
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

    /// - Parameters:
    ///   - taken: Empty, with the room that it had before: the two buffers are exchanged.
    ///   - isLineOpen: Whether what was written last is the beginning of a line whose rest was refused.
    private func writeWaiting(_ taken: inout Buffer, _ isLineOpen: inout Bool) {
        state.withLock { state in
            swap(&state.waiting, &taken)
            state.isWriting = true
        }
        var offset = 0
        // What is written next begins a line of its own.
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

    /// The first lines of `lines` that one call writes; a longer line alone.
    private static func chunk(of lines: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let feed = UInt8(ascii: "\n")
        let end =
            lines.prefix(chunkByteCount).lastIndex(of: feed) ?? lines.firstIndex(of: feed)
            ?? lines.index(before: lines.endIndex)
        return lines[...end]
    }

    /// Writes `bytes`, as often as the system takes only a part of them, is interrupted, or has no room at the moment.
    ///
    /// - Returns: How many were written. Fewer than all if the system refuses the rest: that is no reason to stop serving.
    private func write(_ bytes: ArraySlice<UInt8>) -> Int {
        unsafe bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = unsafe Foundation.write(
                    descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
                if count > 0 {
                    offset += count
                } else if count < 0, errno == EAGAIN {
                    // Another process that shares the file has said that nobody is to wait for it.
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
