package import Foundation

extension Pipe {
    /// A pipe to or from one child. No process that is started from now on holds its ends open besides, so that each side sees the other
    /// go.
    package static func ofOneChild() -> Pipe {
        let pipe = Pipe()
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        return pipe
    }
}
