import Foundation
package import Hummingbird
package import NightlatchRelyingParty
import NightlatchWire

extension Request {
    /// Returns the fields of the query, decoded as strictly as a form.
    package func queryFields() throws(Refusal) -> [String: String] {
        guard let query = FormFields(Data((uri.query ?? "").utf8)) else {
            throw .malformed(detail: FormFields.requirement)
        }
        return query.fields
    }

    /// Returns the user that the query names.
    func queriedUser() throws(Refusal) -> UserID {
        guard let user = try queryFields()["user"].flatMap(UserID.init) else {
            throw .malformed(detail: "The query must name a user: \(UserIDRule.requirement).")
        }
        return user
    }
}
