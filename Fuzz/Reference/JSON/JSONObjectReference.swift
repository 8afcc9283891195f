/// The members of a JSON object by their names, as ``JSONReference`` reads them.
public struct JSONObjectReference {
    /// The tokens of each member's value.
    public private(set) var members: [[UInt16]: [JSONToken]] = [:]

    /// Returns nil unless `document` is JSON and an object.
    public init?(_ document: [UInt8]) {
        guard let reference = JSONReference(document) else { return nil }
        self.init(reference.tokens)
    }

    private init?(_ tokens: [JSONToken]) {
        guard tokens.first == .openObject else { return nil }
        var depth = 0
        var name: [UInt16] = []
        for token in tokens {
            switch token {
            case .name(let units) where depth == 1:
                name = units
                continue
            case .closeObject, .closeArray: depth -= 1
            default: break
            }
            if depth > 0 { members[name, default: []].append(token) }
            if token == .openObject || token == .openArray { depth += 1 }
        }
    }

    public func contains(_ name: String) -> Bool { members[Array(name.utf16)] != nil }

    /// The text of a member; nil if it is missing or is not a string.
    public func text(_ name: String) -> String? {
        guard case .string(let units)? = members[Array(name.utf16)]?.first else { return nil }
        return String(decoding: units, as: UTF16.self)
    }

    /// The object of a member; nil if it is missing or is not an object.
    public func object(_ name: String) -> JSONObjectReference? { members[Array(name.utf16)].flatMap(Self.init) }
}
