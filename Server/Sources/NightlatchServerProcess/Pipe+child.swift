package import Foundation

extension Pipe {
    /// Creates a pipe to or from one child. Processes that are started later do not inherit its ends, so each side
    /// notices when the other process ends.
    package static func ofOneChild() -> Pipe {
        let pipe = Pipe()
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        return pipe
    }
}
