package import Foundation

/// The fields of a form ([RFC 6749, appendix B](https://www.rfc-editor.org/rfc/rfc6749#appendix-B)). A field that is named twice
/// makes the whole form unreadable ([section 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)).
package struct FormFields: Hashable, Sendable {
    package let fields: [String: String]

    /// Nil for what is no form.
    package init?(_ body: Data) {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Self.decode(parts[0]), let value = Self.decode(parts[1]),
                fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        self.fields = fields
    }

    private static func decode(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
