import Foundation
import NightlatchProgram

/// Reports whether a file's mode gives other users access.
struct FileAccess {
    private let path: String
    private let mode: Int

    init(path: String) throws(CommandFailure) {
        self.path = path
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw CommandFailure(.unavailable, "cannot read the mode of \(path): \(SystemError(number: errno)).")
        }
        mode = Int(status.st_mode & 0o777)
    }

    var sentence: String {
        let digits = "0" + String(mode, radix: 8)
        return mode & 0o077 == 0
            ? "Other users of this machine cannot read the file (mode \(digits))."
            : "WARNING: other users of this machine can read or write the file (mode \(digits)): run chmod 600 on it."
    }
}
