import Foundation
import NightlatchWire

extension RemoteLoginDetails {
    /// All details for the user to read before deciding, one in each line.
    var shownLines: [String] {
        ["Log in to: \(app) (\(client))"]
            + [place.map { "From: \($0)" }, message.map { "Message: \($0)" }].compactMap(\.self)
            + [
                "Requested: \(requestedAt.date.formatted(.iso8601))", "Until: \(expiresAt.date.formatted(.iso8601))",
            ]
    }
}
