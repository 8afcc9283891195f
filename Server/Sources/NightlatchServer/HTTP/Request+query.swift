import Foundation
package import Hummingbird
package import NightlatchRelyingParty

extension Request {
    /// Returns the fields of the query, decoded as strictly as a form.
    package func queryFields() throws(Refusal) -> [String: String] {
        guard let query = FormFields(Data((uri.query ?? "").utf8)) else { throw .malformedRequest }
        return query.fields
    }
}
