import Foundation
import NightlatchPlatform
import NightlatchTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("HTTP session")
struct HTTPSessionTests {
    @Test("The session ends with its last owner, and releases its delegate", .timeLimit(.minutes(10)))
    func end() async {
        let (end, teller) = AsyncStream<Void>.makeStream()
        weak var delegate: Delegate?
        do {
            let owned = Delegate(teller)
            delegate = owned
            _ = HTTPSession(delegate: owned, timeout: .seconds(1))
        }
        for await _ in end { break }
        while delegate != nil, !Task.isCancelled { await Task.yield() }
        #expect(delegate == nil)
    }

    private final class Delegate: NSObject, URLSessionDataDelegate {
        private let teller: AsyncStream<Void>.Continuation

        init(_ teller: AsyncStream<Void>.Continuation) {
            self.teller = teller
        }

        func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
            teller.yield()
        }
    }
}
