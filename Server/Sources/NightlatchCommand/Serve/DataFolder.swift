import Foundation

/// Where `nightlatch serve` keeps what it was not told to keep elsewhere: a folder that its owner alone may enter.
enum DataFolder {
    static let path = "nightlatch-data"
    static let database = path + "/nightlatch.sqlite"
    static let masterKey = path + "/master.key"
    static let backendKey = path + "/backend.key"

    static func makeIfAbsent() throws(CommandFailure) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandFailure(.unavailable, "cannot make the folder \(path): \(SystemError(number: errno)).")
        }
    }
}
