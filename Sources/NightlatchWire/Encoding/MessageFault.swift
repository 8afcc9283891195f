/// The reason for a refusal, for the sender of the message: which member breaks which rule.
public struct MessageFault: Error, Hashable, Sendable {
    public let error: StrictJSONError
    /// The path of the member, such as `details.lines[0].label`. Empty for the whole message.
    public let member: String
    /// The rule that the member breaks.
    public let rule: String

    init(_ error: StrictJSONError) {
        self.error = error
        member = ""
        rule =
            switch error {
            case .tooLarge: "is too large"
            case .tooDeep: "is nested too deeply"
            case .duplicateMember(let name): "has the member \(Self.shown(name)) more than once"
            case .malformed(let offset): "is not JSON at byte \(offset)"
            case .unexpectedShape: "does not have the expected form"
            }
    }

    /// - Parameter error: The error from decoding a value.
    init(decoding error: any Error) {
        let (path, rule) = Self.pathAndRule(of: error)
        self.error = .unexpectedShape(path: path.map(\.stringValue).joined(separator: "."))
        member = path.reduce("") { text, key in
            if let index = key.intValue { return text + "[\(index)]" }
            return text + (text.isEmpty ? "" : ".") + Self.shown(key.stringValue)
        }
        self.rule = rule
    }

    private static func pathAndRule(of error: any Error) -> (path: [any CodingKey], rule: String) {
        switch error {
        case DecodingError.keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
        case DecodingError.typeMismatch(let type, let context): (context.codingPath, "must be \(Self.kind(of: type))")
        case DecodingError.valueNotFound(_, let context): (context.codingPath, "is missing")
        case DecodingError.dataCorrupted(let context):
            // Only Nightlatch's own words, because those of a library may contain the sender's input.
            (context.codingPath, (context.underlyingError as? BrokenRule)?.text ?? "has a value that is not allowed")
        default: ([], "does not have the expected form")
        }
    }

    /// The JSON name of the kind of `type`.
    private static func kind(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is JSONObject.Type: "an object"
        case is [JSONValue].Type: "an array"
        default: "of another type"
        }
    }

    /// The text for a member's name, which the sender may have chosen.
    private static func shown(_ name: String) -> String {
        let isPlain =
            (1...64).contains(name.utf8.count) && name.hasOnly { $0.letterOrDigitMatch | $0.match("_") | $0.match("-") }
        return isPlain ? name : "(name hidden)"
    }
}

extension MessageFault: CustomStringConvertible {
    /// One sentence. It contains nothing of the message except names of members.
    public var description: String { (member.isEmpty ? "The message" : member) + " " + rule + "." }
}
