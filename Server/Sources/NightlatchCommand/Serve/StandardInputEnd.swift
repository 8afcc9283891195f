import Foundation
import ServiceLifecycle

/// A service that ends at the end of standard input. This means that the program that started this one has ended,
/// because it held the other end of the pipe.
struct StandardInputEnd: Service {
    /// A stream that ends once the relying party listens. This service does not end before that, so the startup message
    /// can name the port.
    let start: AsyncStream<Void>

    func run() async throws {
        let (end, teller) = AsyncStream<Void>.makeStream()
        // Uses a thread, because a read blocks, and not every input can be polled.
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
