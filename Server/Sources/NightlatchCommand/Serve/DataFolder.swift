import Foundation
import NightlatchProgram

/// The default folder of `nightlatch serve`. Only its owner has access.
enum DataFolder {
    static let path = "nightlatch-data"
    static let database = path + "/nightlatch.sqlite"
    static let masterKey = path + "/master.key"
    static let backendKey = path + "/backend.key"

    static func makeIfAbsent() throws(CommandFailure) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandFailure(.unavailable, "cannot create the folder \(path): \(SystemError(number: errno)).")
        }
    }
}
