import NIOCore
import Synchronization

/// The ``AnswerFlushes`` of each event loop.
final class AnswerFlushesOfLoops: Sendable {
    private let loops = Mutex<[ObjectIdentifier: NIOLoopBound<AnswerFlushes>]>([:])

    /// Returns the flushes of `eventLoop`. Must be called on that event loop.
    subscript(_ eventLoop: any EventLoop) -> NIOLoopBound<AnswerFlushes> {
        loops.withLock { loops in
            if let flushes = loops[ObjectIdentifier(eventLoop)] { return flushes }
            let flushes = NIOLoopBound(AnswerFlushes(on: eventLoop), eventLoop: eventLoop)
            loops[ObjectIdentifier(eventLoop)] = flushes
            return flushes
        }
    }
}
