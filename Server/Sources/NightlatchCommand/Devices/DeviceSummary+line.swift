import Foundation
import NightlatchWire

extension DeviceSummary {
    /// One line of a list.
    var line: String {
        let login = lastLoginAt.map { "last login \($0.date.formatted(.iso8601))" } ?? "never logged in"
        return
            "\(isCurrent ? "*" : " ") \(id)  \(status.rawValue)  bound \(boundAt.date.formatted(.iso8601))  \(login)  \(name)"
    }
}
