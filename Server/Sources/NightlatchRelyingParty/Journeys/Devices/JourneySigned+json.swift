import Foundation
import NightlatchWire

extension JourneySigned {
    /// The signed content in the form that backends read. The claims are those that the app signed.
    func json() throws(StoreError) -> JSONValue {
        let members: JSONValue
        do {
            members = try StrictJSON.decode(JSONValue.self, from: Array((claims ?? "{}").utf8))
        } catch {
            throw StoreError(.corrupt)
        }
        return .object([
            .init("challenge", .string(challenge)), .init("claims", members),
            .init("at", .string(at.date.formatted(.iso8601))),
        ])
    }
}
