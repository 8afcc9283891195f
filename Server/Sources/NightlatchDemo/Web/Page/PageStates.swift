import Foundation
import Synchronization

/// The newest state of each part of the page, for all browsers that show it.
final class PageStates: Sendable {
    enum Part: String, CaseIterable {
        case phone, server
    }

    /// A part as JSON, with its version number.
    struct State {
        let version: Int
        let json: String
    }

    /// The maximum number of browsers at a time. Beyond it, the oldest stream ends, and its browser connects again.
    private static let watcherLimit = 16

    private struct Content {
        var states: [Part: State] = [:]
        var watchers: [(id: Int, signal: AsyncStream<Void>.Continuation)] = []
        var watcherCount = 0
    }

    private let content = Mutex(Content())

    func show(_ value: some Encodable, as part: Part) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json: String
        do {
            json = String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            preconditionFailure("texts and numbers always encode")
        }
        content.withLock { content in
            guard content.states[part]?.json != json else { return }
            content.states[part] = State(version: (content.states[part]?.version ?? 0) + 1, json: json)
            for watcher in content.watchers { watcher.signal.yield() }
        }
    }

    func state(of part: Part) -> State? { content.withLock { $0.states[part] } }

    /// Returns a stream that yields at once, and each time that a newer state may exist.
    func changes() -> AsyncStream<Void> {
        // Signals coalesce: after one signal, the reader takes the newest states.
        let (stream, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = content.withLock { content in
            content.watcherCount += 1
            content.watchers.append((content.watcherCount, signal))
            if content.watchers.count > Self.watcherLimit { content.watchers.removeFirst().signal.finish() }
            return content.watcherCount
        }
        signal.onTermination = { [weak self] _ in self?.forget(id) }
        signal.yield()
        return stream
    }

    private func forget(_ id: Int) {
        content.withLock { $0.watchers.removeAll { $0.id == id } }
    }
}
