import Foundation
import NightlatchWire

extension JourneySigned {
    /// As a backend reads it, the claims as they were signed.
    func json() throws(StoreError) -> OrderedJSON {
        let members: OrderedJSON
        do {
            members = try StrictJSON.decode(OrderedJSON.self, from: Array((claims ?? "{}").utf8))
        } catch {
            throw StoreError(.corrupt)
        }
        return .object([
            .init("challenge", .string(challenge)), .init("claims", members),
            .init("at", .string(at.date.formatted(.iso8601))),
        ])
    }
}
