import Foundation

/// An error of a system call.
struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The `errno` of the call.
    let number: Int32

    /// The meaning of the error and, if known, what to do; without a full stop.
    var description: String {
        switch number {
        case EACCES, EPERM: "permission denied: check the owner and the mode of the file and of its folder"
        case ELOOP: "it is a symbolic link, which is not followed: name the file itself"
        case ENOSPC, EDQUOT: "no space is left: free some space"
        case EROFS: "the file system is read-only"
        // The text belongs to the system. It is valid until this thread calls `strerror` again.
        default: unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
        }
    }
}
