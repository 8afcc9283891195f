import Foundation
import HTTPTypes
import Hummingbird
import NightlatchWire

extension Request {
    /// The DPoP proofs of the request. A valid request has exactly one.
    var dpopProofs: [String] { headers[values: .dpop] }

    /// Returns the credentials in the `Authorization` header
    /// ([RFC 9110, section 11.6.2](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.2)). Returns nil if there is not
    /// exactly one such header, or if its scheme is not `scheme`.
    func credentials(scheme: String) -> String? {
        let values = headers[values: .authorization]
        guard values.count == 1, let parts = values.first?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == scheme.lowercased()
        else { return nil }
        return parts[1].trimmingCharacters(in: .whitespaces)
    }
}
