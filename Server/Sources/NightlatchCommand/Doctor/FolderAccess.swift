import Foundation

/// Which other users can replace what is in a folder: those who can write to it, or to a folder above it. The one rule of `doctor` and of a
/// server at its start.
package struct FolderAccess {
    /// A folder that other users can write to.
    package struct OpenFolder: Hashable {
        package let path: String
        /// Its permissions, as `chmod` has them, such as `0777`.
        package let mode: String
    }

    /// The folders that others can write to, the innermost first.
    package let open: [OpenFolder]

    /// - Throws: ``CommandFailure`` if a folder cannot be looked at.
    package init(path: String) throws(CommandFailure) {
        let innermost = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        var open: [OpenFolder] = []
        var folder = innermost
        // Ends: at the root; each round goes one folder up.
        while true {
            var status = stat()
            guard unsafe stat(folder.path, &status) == 0 else {
                throw CommandFailure(
                    .unavailable, "\(folder.path) cannot be looked at: \(SystemError(number: errno)).")
            }
            let mode = status.st_mode & 0o7777
            // In a sticky folder, such as /tmp, others can remove only files of their own. But they can make one that is not there yet.
            let isKept = mode & 0o1000 != 0 && folder.path != innermost.path
            if mode & 0o022 != 0, !isKept {
                open.append(OpenFolder(path: folder.path, mode: "0" + String(mode, radix: 8)))
            }
            guard folder.path != "/" else { break }
            folder.deleteLastPathComponent()
        }
        self.open = open
    }

    var sentences: [String] {
        if open.isEmpty { return ["Other users of this machine cannot put other files in its place."] }
        return open.map { folder in
            "WARNING: other users of this machine can put files of theirs in its place: \(folder.path) has mode "
                + "\(folder.mode). Run chmod go-w on it."
        }
    }
}
