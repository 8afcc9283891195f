import Foundation
import Logging
import NIOCore
import NIOEmbedded
import NightlatchServer
import Testing

@Suite("Connections that cannot be taken")
struct AcceptErrorsTests {
    /// What is left of an error for the listener's owner, to whom it is the end.
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
        "A connection for which there is no file or memory, or that is gone, is not the listener's end",
        arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED])
    func passing(code: CInt) {
        #expect(left(of: IOError(errnoCode: code, reason: "accept")) == nil)
    }

    @Test("Any other error of a listener is its owner's to know")
    func lasting() {
        #expect((left(of: IOError(errnoCode: EBADF, reason: "accept")) as? IOError)?.errnoCode == EBADF)
        #expect(left(of: ChannelError.ioOnClosedChannel) as? ChannelError == .ioOnClosedChannel)
    }
}
