import Dispatch
import Foundation
import Synchronization

/// Writes lines of the log to a file or pipe, on a thread of its own.
///
/// A reader that stalls (a full pipe, a stopped terminal, a disk that hangs) stops that thread and nothing else: ``write(_:afterDropped:)``
/// never waits for it. Lines that find no room in the buffer are dropped and counted. Lines of the last ``gatheringTime`` are lost if the
/// process is killed.
package final class LogWriter: Sendable {
    /// The log of this process.
    package static let standardError = LogWriter(descriptor: STDERR_FILENO)

    /// How long lines are gathered for one call of the system: under load one call writes many.
    private static let gatheringTime = 0.005
    /// What one call writes at most: so much goes into a pipe whole, so lines of several processes do not mix (POSIX's PIPE_BUF, on Linux).
    private static let chunkByteCount = 4096

    private struct State {
        /// Whole lines that are not written yet.
        var waiting: [UInt8] = []
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
            var taken: [UInt8] = []
            // Ends: with the process: the thread sleeps until there is something to write.
            while true {
                wake.wait()
                Thread.sleep(forTimeInterval: Self.gatheringTime)
                writeWaiting(&taken)
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
            guard state.waiting.count + line.count <= byteLimit else {
                state.droppedCount += 1
                return false
            }
            let isFirst = state.waiting.isEmpty
            if state.droppedCount > 0 {
                state.waiting += describe(state.droppedCount)
                state.droppedCount = 0
            }
            state.waiting += line
            return isFirst
        }
        if isFirst { wake.signal() }
    }

    /// Waits until all lines are written, or for `limit` at most: before the process ends.
    package func flush(within limit: Duration) async {
        let end = ContinuousClock.now + limit
        while state.withLock({ !$0.waiting.isEmpty || $0.isWriting }), ContinuousClock.now < end {
            do {
                try await Task.sleep(for: .milliseconds(1))
            } catch {
                return
            }
        }
    }

    /// - Parameter taken: Empty, with the room that it had before: the two buffers are exchanged.
    private func writeWaiting(_ taken: inout [UInt8]) {
        state.withLock { state in
            swap(&state.waiting, &taken)
            state.isWriting = true
        }
        var rest = taken[...]
        while !rest.isEmpty {
            let chunk = Self.chunk(of: rest)
            guard writeWhole(chunk) else { break }
            rest = rest[chunk.endIndex...]
        }
        taken.removeAll(keepingCapacity: true)
        state.withLock { $0.isWriting = false }
    }

    /// The first lines of `lines` that one call writes; a longer line alone.
    private static func chunk(of lines: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let feed = UInt8(ascii: "\n")
        let end =
            lines.prefix(chunkByteCount).lastIndex(of: feed) ?? lines.firstIndex(of: feed)
            ?? lines.index(before: lines.endIndex)
        return lines[...end]
    }

    /// False if the log cannot be written: that is no reason to stop serving.
    private func writeWhole(_ bytes: ArraySlice<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = unsafe Foundation.write(
                    descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
                if count >= 0 {
                    offset += count
                } else if errno == EAGAIN {
                    // Another process that shares the file has said that nobody is to wait for it.
                    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&room, 1, -1)
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }
}
