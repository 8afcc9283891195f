import Foundation
package import NightlatchProgram

/// Finds the folders that let other users replace a file: the file's folder and each folder above it, if other users
/// can write to it.
///
/// Both `doctor` and `serve` use this type.
package struct FolderAccess {
    /// A folder that other users can write to.
    package struct OpenFolder: Hashable {
        package let path: String
        /// The permissions in the format of `chmod`, such as `0777`.
        package let mode: String
    }

    /// The folders that other users can write to, innermost first.
    package let open: [OpenFolder]

    /// Examines the folder at `path` and all folders above it.
    ///
    /// - Throws: ``CommandFailure`` if the mode of a folder cannot be read.
    package init(path: String) throws(CommandFailure) {
        let innermost = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        var open: [OpenFolder] = []
        var folder = innermost
        // Ends: at the root; each iteration moves one folder up.
        while true {
            var status = stat()
            guard unsafe stat(folder.path, &status) == 0 else {
                throw CommandFailure(
                    .unavailable, "cannot read the mode of \(folder.path): \(SystemError(number: errno)).")
            }
            let mode = status.st_mode & 0o7777
            // In a sticky folder such as /tmp, other users can remove only their own files, so a sticky folder above
            // the innermost one is safe. The innermost folder is not: other users can create a missing file in it.
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
        if open.isEmpty { return ["Other users of this machine cannot replace it."] }
        return open.map { folder in
            "WARNING: other users of this machine can replace it: \(folder.path) has mode "
                + "\(folder.mode). Run chmod go-w on it."
        }
    }
}
