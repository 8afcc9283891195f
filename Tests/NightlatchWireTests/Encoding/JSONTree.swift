/// Any JSON value, for tests that write one and read it again.
enum JSONTree: Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])
}

extension JSONTree: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONTree].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }
}

/// Accepts any JSON value and keeps nothing of it: the test only checks whether the text is read.
struct AnyJSON: Decodable {
    init(from decoder: any Decoder) throws {}
}
