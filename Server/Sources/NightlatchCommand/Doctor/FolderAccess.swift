import Foundation

/// Which other users can replace what is in a folder: those who can write to it, or to a folder above it.
struct FolderAccess {
    /// The folders that others can write to, the innermost first.
    private let open: [(path: String, mode: Int)]

    /// - Throws: ``CommandFailure`` if a folder cannot be looked at.
    init(path: String) throws(CommandFailure) {
        var open: [(path: String, mode: Int)] = []
        var folder = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        while true {
            var status = stat()
            guard unsafe stat(folder.path, &status) == 0 else {
                throw CommandFailure(
                    .unavailable, "\(folder.path) cannot be looked at: \(SystemError(number: errno)).")
            }
            let mode = Int(status.st_mode & 0o7777)
            // In a sticky folder, such as /tmp, others can remove only files of their own.
            let isSticky = mode & 0o1000 != 0 && folder.path != path
            if mode & 0o022 != 0, !isSticky { open.append((folder.path, mode)) }
            guard folder.path != "/" else { break }
            folder.deleteLastPathComponent()
        }
        self.open = open
    }

    var sentences: [String] {
        if open.isEmpty { return ["Other users of this machine cannot put other files in its place."] }
        return open.map { folder in
            let digits = "0" + String(folder.mode, radix: 8)
            return "WARNING: other users of this machine can put files of theirs in its place: \(folder.path) has mode "
                + "\(digits). Run chmod go-w on it."
        }
    }
}
