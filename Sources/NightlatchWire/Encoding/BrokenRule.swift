/// The rule that a member of a message breaks, in words for the sender. It is the underlying error of a decoding error,
/// which contains the member's path.
struct BrokenRule: Error {
    let text: String
}

extension DecodingError {
    /// Returns an error for a value at `path` that breaks `rule`, such as "must be the three capital letters of ISO
    /// 4217".
    static func broken(_ rule: String, at path: [any CodingKey]) -> Self {
        .dataCorrupted(.init(codingPath: path, debugDescription: rule, underlyingError: BrokenRule(text: rule)))
    }
}

extension SingleValueDecodingContainer {
    /// Same as `decode(_:)`, with an error that states `rule` if the value is of another kind.
    func decode<Value: Decodable>(_ type: Value.Type, rule: @autoclosure () -> String) throws -> Value {
        do {
            return try decode(type)
        } catch DecodingError.typeMismatch(_, let context) {
            throw DecodingError.broken(rule(), at: context.codingPath)
        }
    }
}
