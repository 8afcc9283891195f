import Foundation
import ServiceLifecycle

/// Ends when standard input does: a program that started this one, and holds the other end of a pipe, has gone.
struct StandardInputEnd: Service {
    /// Ends when the relying party listens. Stopped before that, it would say that it listens nowhere.
    let start: AsyncStream<Void>

    func run() async throws {
        let (end, teller) = AsyncStream<Void>.makeStream()
        // Reading blocks a thread, and not everything that can be read can be waited for.
        Thread.detachNewThread {
            var piece = [UInt8](repeating: 0, count: 4096)
            var count: Int
            repeat {
                count = unsafe read(STDIN_FILENO, &piece, piece.count)
            } while count > 0 || count < 0 && errno == EINTR
            teller.finish()
        }
        await cancelWhenGracefulShutdown {
            for await _ in start {}
            for await _ in end {}
        }
    }
}
