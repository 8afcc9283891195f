import Foundation
import NightlatchWire

extension DeviceSummary {
    /// The device as one line of a list.
    var line: String {
        let login = lastLoginAt.map { "last login \($0.date.formatted(.iso8601))" } ?? "never logged in"
        return
            "\(isCurrent ? "*" : " ") \(id)  \(status.word)  bound \(boundAt.date.formatted(.iso8601))  \(login)  \(name)"
    }
}

extension DeviceSummary.Status {
    /// The word for a known status. An unknown status is not printed, since the server could send any text.
    fileprivate var word: String {
        switch self {
        case .active: "active"
        case .blocked: "blocked"
        case .revoked: "revoked"
        case .replaced: "replaced"
        default: "of another status"
        }
    }
}
