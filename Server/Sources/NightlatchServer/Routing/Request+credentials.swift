import Foundation
import HTTPTypes
import Hummingbird
import NightlatchWire

extension Request {
    /// The DPoP proofs that came along: one, if all is well.
    var dpopProofs: [String] { headers[values: .dpop] }

    /// What follows `scheme` in the `Authorization` header, if there is one such header and it is of that scheme
    /// ([RFC 9110, section 11.6.2](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.2)).
    func credentials(scheme: String) -> String? {
        let values = headers[values: .authorization]
        guard values.count == 1, let parts = values.first?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == scheme.lowercased()
        else { return nil }
        return parts[1].trimmingCharacters(in: .whitespaces)
    }
}
