extension Decoder {
    /// Throws if the object has a member that is not in `Keys`.
    ///
    /// For objects that a user decides on. Ignoring a member would show the user less than was sent.
    func requireMembers<Keys: CodingKey>(_ keys: Keys.Type) throws {
        let container = try container(keyedBy: MemberName.self)
        for name in container.allKeys where Keys(stringValue: name.stringValue) == nil {
            throw DecodingError.broken("is an unknown member", at: container.codingPath + [name])
        }
    }
}

/// The name of any member of an object.
private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}
