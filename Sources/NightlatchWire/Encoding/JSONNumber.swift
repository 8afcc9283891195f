/// A number of a JSON text as it is written there. Another form of it may be another value: a `Double` rounds, and `100.00` says more than
/// `100`.
public struct JSONNumber: Hashable, Sendable {
    /// As [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259#section-6) writes numbers.
    public let text: String
}

extension JSONNumber: Decodable {
    /// Reads a number through ``StrictJSON``, which alone keeps the text.
    ///
    /// - Throws: `DecodingError` for what is no number, and of any other decoder.
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONValueDecoder, case .number(let text) = decoder.value else {
            throw DecodingError.typeMismatch(
                Self.self, .init(codingPath: decoder.codingPath, debugDescription: "no number of a JSON text"))
        }
        self.text = text
    }
}
