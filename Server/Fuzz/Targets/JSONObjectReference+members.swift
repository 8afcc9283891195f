import NightlatchFuzzReference

extension JSONObjectReference {
    /// The members' names.
    var names: [String] { members.keys.map { String(decoding: $0, as: UTF16.self) } }

    /// Returns the tokens of the member's value.
    func tokens(_ name: String) -> [JSONToken]? { members[Array(name.utf16)] }

    func isNull(_ name: String) -> Bool { tokens(name) == [.literal("null")] }

    /// Returns the member's number if it is an integer.
    func integer(_ name: String) -> Int? {
        guard case .number(let text)? = tokens(name)?.first else { return nil }
        return Double(text).flatMap(Int.init(exactly:))
    }

    /// Returns the member's number, rounded down to the second.
    func second(_ name: String) -> Int? {
        guard case .number(let text)? = tokens(name)?.first else { return nil }
        return Double(text).flatMap { Int(exactly: $0.rounded(.down)) }
    }

    /// Returns the member's texts if it is a list of texts only.
    func texts(_ name: String) -> [String]? {
        guard let tokens = tokens(name), tokens.first == .openArray else { return nil }
        var texts: [String] = []
        for token in tokens.dropFirst().dropLast() {
            guard case .string(let units) = token else { return nil }
            texts.append(String(decoding: units, as: UTF16.self))
        }
        return texts
    }
}
