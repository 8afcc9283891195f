import Foundation
import Logging
import NIOCore
import NIOEmbedded
import NightlatchServer
import Testing

@Suite("Errors of accepting a connection")
struct AcceptErrorsTests {
    /// Returns the error that reaches the listener's owner, who closes the listener; nil if the handler absorbs it.
    private func left(of error: any Error) -> (any Error)? {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let channel = EmbeddedChannel(handler: AcceptErrors(logger: logger))
        channel.pipeline.fireErrorCaught(error)
        defer { _ = try? channel.finish() }
        do {
            try channel.throwIfErrorCaught()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "A lack of files or memory, or a connection that is gone, does not end the listener",
        arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED])
    func passing(code: CInt) {
        #expect(left(of: IOError(errnoCode: code, reason: "accept")) == nil)
    }

    @Test("Any other error of a listener reaches its owner")
    func lasting() {
        #expect((left(of: IOError(errnoCode: EBADF, reason: "accept")) as? IOError)?.errnoCode == EBADF)
        #expect(left(of: ChannelError.ioOnClosedChannel) as? ChannelError == .ioOnClosedChannel)
    }
}
