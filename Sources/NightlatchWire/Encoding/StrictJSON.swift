public import Foundation

/// Why ``StrictJSON`` refused its input. The message is to be refused whole; there is nothing to repair or to retry.
public enum StrictJSONError: Error, Hashable, Sendable {
    /// More bytes than the limit allows.
    case tooLarge
    /// Nested deeper than the limit allows.
    case tooDeep
    /// An object names a member twice. Decoders differ in which one they take, so neither is.
    case duplicateMember(String)
    /// Not JSON as [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259) defines it; the offset is in bytes.
    case malformed(offset: Int)
    /// JSON, but not of the shape asked for; the path names the member.
    case unexpectedShape(path: String)
}

/// JSON as security needs it: size, depth and duplicate members are checked before anything is decoded, because
/// `JSONDecoder` and other readers disagree on duplicates.
public enum StrictJSON {
    /// Decodes one value.
    ///
    /// - Throws: ``StrictJSONError``; the input was refused whole.
    public static func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: some DataProtocol,
        limits: JSONLimits = .message
    ) throws(StrictJSONError) -> Value {
        guard bytes.count <= limits.byteCount else { throw .tooLarge }
        var scanner = JSONScanner(Array(bytes), depthLimit: limits.depth)
        try scanner.scanDocument()
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw .unexpectedShape(path: Self.path(of: error))
        }
    }

    /// Encodes `value` with its members in the order of their names and without white space, so that equal values
    /// give equal bytes.
    ///
    /// - Precondition: `value` encodes itself without throwing, as every type of this module does.
    public static func encode(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
        } catch {
            preconditionFailure("a value that cannot be encoded: \(type(of: value))")
        }
    }

    private static func path(of error: any Error) -> String {
        let path =
            switch error {
            case DecodingError.keyNotFound(let key, let context): context.codingPath + [key]
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.dataCorrupted(let context):
                context.codingPath
            default: [any CodingKey]()
            }
        return path.map(\.stringValue).joined(separator: ".")
    }
}
