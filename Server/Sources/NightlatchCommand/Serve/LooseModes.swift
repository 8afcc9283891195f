import Foundation
import NightlatchProgram

/// Finds files of a server that other users of the machine can read or change. The server only warns about them,
/// because a container may have no other users.
package enum LooseModes {
    /// Returns a warning for each database file that other users can read or write, and for each folder that lets
    /// others replace a file (``FolderAccess``).
    ///
    /// - Parameters:
    ///   - database: The file of the database; nil if it is not a file.
    ///   - keys: The files with keys. Only their folders are checked here; `SecretFile` checks the modes of the files.
    package static func warnings(database: String?, keys: [String]) -> [String] {
        let files = database.map { [$0, $0 + "-wal", $0 + "-shm"] } ?? []
        let folders = ([database].compactMap(\.self) + keys).map { file in
            let folder = (file as NSString).deletingLastPathComponent
            return folder.isEmpty ? "." : folder
        }
        return files.compactMap(warning(file:)) + warnings(folders: folders)
    }

    private static func warning(file: String) -> String? {
        guard let mode = mode(of: file), mode & 0o077 != 0 else { return nil }
        let verb = mode & 0o022 != 0 ? "write" : "read"
        return "Other users of this machine can \(verb) \(file) (mode \(octal(mode))). Run: chmod 600 \(file)"
    }

    private static func warnings(folders: [String]) -> [String] {
        var open: Set<FolderAccess.OpenFolder> = []
        var unseen: Set<String> = []
        for folder in folders {
            do throws(CommandFailure) {
                open.formUnion(try FolderAccess(path: folder).open)
            } catch {
                unseen.insert(
                    "Cannot find out whether other users of this machine can replace the files in \(folder): "
                        + error.message
                )
            }
        }
        return open.sorted { $0.path < $1.path }.map { folder in
            "Other users of this machine can replace the files in \(folder.path) (mode \(folder.mode)). "
                + "Run: chmod go-w \(folder.path)"
        } + unseen.sorted()
    }

    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    private static func octal(_ mode: mode_t) -> String { "0" + String(mode, radix: 8) }
}
