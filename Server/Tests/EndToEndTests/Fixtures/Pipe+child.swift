import Foundation

extension Pipe {
    /// A pipe to or from one child, which no other process that is started meanwhile holds open.
    static func ofOneChild() -> Pipe {
        let pipe = Pipe()
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        return pipe
    }
}
