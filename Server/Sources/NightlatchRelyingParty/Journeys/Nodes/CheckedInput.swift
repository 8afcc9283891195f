import NightlatchWire

/// An input whose value is checked by policies, and which the client may have checked before it submits the value.
struct CheckedInput: Hashable, Sendable {
    let type: String
    /// The name of the attribute in the user's profile.
    let name: String
    let kind: EnteredValue.Kind
    let isRequired: Bool
    let policies: [EntryPolicy]
    /// Whether the callback describes the policies.
    let showsPolicies: Bool

    private static let trial = "validateOnly"

    /// The checked answer of a client.
    struct Entry: Sendable {
        /// The value; nil if the client entered none, or none of this kind.
        let value: EnteredValue?
        let failed: [EntryPolicy]
        /// Whether the client only wants the value to be checked.
        let isTrial: Bool
        /// Whether the journey continues with this value.
        var isAccepted: Bool { failed.isEmpty && !isTrial }
    }

    /// The longest text that a client may enter, in bytes.
    private static let byteCountLimit = 2048

    /// Checks an answer. Returns nil if the value is too long.
    func read(_ answer: CallbackAnswer) -> Entry? {
        let given = answer.value(in: type) ?? .null
        if let text = given.string, text.utf8.count > Self.byteCountLimit { return nil }
        let isTrial = answer.value(of: Self.trial, in: type).flatMap { EnteredValue($0, as: .boolean) }
        func entry(_ value: EnteredValue?, _ failed: [EntryPolicy]) -> Entry {
            Entry(value: value, failed: failed, isTrial: isTrial == .boolean(true))
        }
        guard given != .null, given != .string("") else { return entry(nil, isRequired ? [.required] : []) }
        guard let value = EnteredValue(given, as: kind) else { return entry(nil, [.type(kind)]) }
        return entry(value, policies.filter { !$0.accepts(value) })
    }

    /// The outputs that describe the policies and those that failed.
    func policyOutputs(_ failed: [EntryPolicy]) -> [JSONObject.Member] {
        let all: [EntryPolicy] = (isRequired ? [.required] : []) + [.type(kind)] + policies
        return [
            .init("policies", showsPolicies ? EntryPolicy.json(all, of: name) : .object([])),
            .init("failedPolicies", .array(failed.map(\.failure))),
            .init(Self.trial, .bool(false)),
        ]
    }

    /// The inputs: the value, and whether it is only checked.
    func inputs(_ value: JSONValue) -> [JSONObject.Member] { [.init("", value), .init(Self.trial, .bool(false))] }
}
