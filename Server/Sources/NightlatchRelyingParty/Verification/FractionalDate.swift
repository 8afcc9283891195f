import NightlatchWire

/// A time that may have a fraction, as [RFC 7519](https://www.rfc-editor.org/rfc/rfc7519#section-2) permits.
///
/// It is rounded down to whole seconds.
struct FractionalDate: Decodable {
    let date: NumericDate

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = NumericDate(fractional: try container.decode(Double.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
        }
        self.date = date
    }
}
