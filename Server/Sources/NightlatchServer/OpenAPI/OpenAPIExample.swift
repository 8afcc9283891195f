/// Examples of the bodies. They are composed from the examples in the schemas.
package enum OpenAPIExample {
    /// A message in the form of a compact JWS (RFC 7515). Its signature is by no key.
    static let signedMessage = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJuaWdodGxhdGNoIn0.c2lnbmF0dXJl"

    /// The media type object with `schema` and an example of it.
    static func mediaType(_ schema: JSONTree) -> JSONTree {
        var members: [String: JSONTree] = ["schema": schema]
        members["example"] = value(of: schema)
        return .object(members)
    }

    /// Returns a value that `schema` accepts.
    ///
    /// It is the schema's first example, if it has one. Otherwise it is composed from the examples of its parts. An
    /// object has all members, also the optional ones that have an example.
    ///
    /// - Returns: Nil if the schema or a required part of it has no example.
    package static func value(of schema: JSONTree) -> JSONTree? {
        if let example = schema["examples"]?.elements.first ?? schema["const"] ?? schema["enum"]?.elements.first {
            return example
        }
        if case .string(let reference)? = schema["$ref"], let name = reference.split(separator: "/").last {
            return OpenAPISchema.all[String(name)].flatMap(value)
        }
        if let alternative = schema["oneOf"]?.elements.first { return value(of: alternative) }
        switch schema["type"] {
        case "object"?: return object(of: schema)
        case "array"?: return schema["items"].flatMap(value).map { .array([$0]) }
        case "integer"?: return schema["minimum"] ?? 1
        case "boolean"?: return true
        default: return nil
        }
    }

    private static func object(of schema: JSONTree) -> JSONTree? {
        guard case .object(let properties)? = schema["properties"] else { return [:] }
        let members = properties.compactMapValues(value)
        let required = schema["required"]?.elements ?? []
        let isComplete = required.allSatisfy { name in
            if case .string(let name) = name { members[name] != nil } else { false }
        }
        return isComplete ? .object(members) : nil
    }
}
