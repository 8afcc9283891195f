import NightlatchWire

/// A rule for a value that a client enters.
///
/// Identifiers, requirements and parameters have the names that PingAM gives them, because clients translate them.
enum EntryPolicy: Hashable, Sendable {
    case required
    case type(EnteredValue.Kind)
    case minimumLength(Int)
    case maximumLength(Int)
    case email
    case minimum(Int)
    case maximum(Int)
    /// The value must be a valid user id.
    case userID

    /// The identifier, the requirement, and the parameters if there are any.
    private var names: (id: String, requirement: String, parameters: JSONValue?) {
        switch self {
        case .required: ("required", "REQUIRED", nil)
        case .type(let kind): ("valid-type", "VALID_TYPE", Self.pair("types", .array([.string(kind.rawValue)])))
        case .minimumLength(let count): ("minimum-length", "MIN_LENGTH", Self.pair("minLength", .integer(count)))
        case .maximumLength(let count): ("maximum-length", "MAX_LENGTH", Self.pair("maxLength", .integer(count)))
        case .email: ("valid-email-address-format", "VALID_EMAIL_ADDRESS_FORMAT", nil)
        case .minimum(let number):
            ("minimum-number-value", "MINIMUM_NUMBER_VALUE", Self.pair("minimum", .integer(number)))
        case .maximum(let number):
            ("maximum-number-value", "MAXIMUM_NUMBER_VALUE", Self.pair("maximum", .integer(number)))
        case .userID: ("valid-username", "VALID_USERNAME", nil)
        }
    }

    private static func pair(_ name: String, _ value: JSONValue) -> JSONValue { .object([.init(name, value)]) }

    /// Whether `value` keeps the rule. ``required`` and ``type(_:)`` were checked when the value was parsed.
    func accepts(_ value: EnteredValue) -> Bool {
        switch (self, value) {
        case (.minimumLength(let count), .string(let text)): text.unicodeScalars.count >= count
        case (.maximumLength(let count), .string(let text)): text.unicodeScalars.count <= count
        case (.email, .string(let text)): EmailAddress(rawValue: text) != nil
        case (.minimum(let least), .number(let number)): number >= Double(least)
        case (.maximum(let most), .number(let number)): number <= Double(most)
        case (.userID, .string(let text)): UserID(rawValue: text) != nil
        default: true
        }
    }

    /// The description of all policies of an input.
    static func json(_ policies: [Self], of name: String) -> JSONValue {
        .object([
            .init("policyRequirements", .array(policies.map { .string($0.names.requirement) })),
            .init("fallbackPolicies", .null),
            .init("name", .string(name)),
            .init("policies", .array(policies.map(\.json))),
            .init("conditionalPolicies", .null),
        ])
    }

    private var json: JSONValue {
        let own: [JSONObject.Member] = [
            .init("policyRequirements", .array([.string(names.requirement)])), .init("policyId", .string(names.id)),
        ]
        return .object(own + parameters)
    }

    private var parameters: [JSONObject.Member] {
        names.parameters.map { [JSONObject.Member("params", $0)] } ?? []
    }

    /// A failed policy, as clients expect it: JSON in a string.
    var failure: JSONValue {
        let members = parameters + [JSONObject.Member("policyRequirement", .string(names.requirement))]
        return .string(JSONValue.object(members).json)
    }
}
