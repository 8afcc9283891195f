import Foundation

/// A call to the system failed.
struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The `errno` that it left.
    let number: Int32

    /// What it means and, where that is plain, what to do; without a full stop.
    var description: String {
        switch number {
        case EACCES, EPERM: "permission denied: look at the owner and the mode of it and of its folder"
        case ELOOP: "it is a symbolic link, and none is followed: name the file itself"
        case ENOSPC, EDQUOT: "no space is left: free some"
        case EROFS: "the file system is read-only"
        // The text is the system's own and stays until the thread asks for another.
        default: unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
        }
    }
}
