/// The rule that a member of a message breaks, in words for its sender. Errors carry it beside the path of the member.
struct BrokenRule: Error {
    let text: String
}

extension DecodingError {
    /// The value at `path` breaks `rule`, such as "must be the three capital letters of ISO 4217".
    static func broken(_ rule: String, at path: [any CodingKey]) -> Self {
        .dataCorrupted(.init(codingPath: path, debugDescription: rule, underlyingError: BrokenRule(text: rule)))
    }
}

extension SingleValueDecodingContainer {
    /// As `decode(_:)`, where a value of another kind breaks `rule`.
    func decode<Value: Decodable>(_ type: Value.Type, rule: @autoclosure () -> String) throws -> Value {
        do {
            return try decode(type)
        } catch DecodingError.typeMismatch(_, let context) {
            throw DecodingError.broken(rule(), at: context.codingPath)
        }
    }
}
