import Foundation
import Synchronization

/// Random bytes of the system, taken from it many at a time: to ask it for each challenge and each token costs more than to make them.
/// None is given out twice, and what was given out is kept no longer.
package final class RandomPool: Sendable {
    /// What the system gives in one call at most.
    private static let byteCount = 256

    private struct State {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        /// How many of them were given out.
        var takenCount = byteCount
    }

    private let state = Mutex(State())

    package init() {}

    /// `count` bytes, at most 256.
    package func take(_ count: Int) -> [UInt8] {
        state.withLock { state in
            // What is left stays unused then.
            if count > Self.byteCount - state.takenCount { Self.fill(&state) }
            let taken = state.takenCount..<(state.takenCount + count)
            let bytes = Array(state.bytes[taken])
            for index in taken { state.bytes[index] = 0 }
            state.takenCount += count
            return bytes
        }
    }

    private static func fill(_ state: inout State) {
        let status = unsafe state.bytes.withUnsafeMutableBytes { bytes in
            guard let address = bytes.baseAddress else { return CInt(-1) }
            return unsafe getentropy(address, bytes.count)
        }
        precondition(status == 0, "the system has no random bytes")
        state.takenCount = 0
    }
}
