import Foundation
import NightlatchFuzzReference
import NightlatchRelyingParty
import NightlatchWire

/// Invariants of a client's answers to a journey's step.
///
/// - The decoder reads an answer exactly as written.
/// - An input that is filled twice is refused.
/// - The value for a callback's kind and an input's name is the written one.
enum AnswerInvariants {
    /// Checks one input.
    ///
    /// - Parameter input: The body of a request.
    static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        let reference = JSONReference(input)
        let body = try? StrictJSON.decode(JSONValue.self, from: input)
        let isStrict = reference?.isStrict(within: .message) ?? false
        let isAllowed = isStrict && input.count <= JSONLimits.message.byteCount
        try require((body != nil) == isAllowed, "\(body == nil ? "refused" : "accepted") against the reference")
        guard let body, let reference else { return false }
        try checkSame(body, reference)
        guard let callbacks = body["callbacks"] else { return false }
        let answers = CallbackAnswers(callbacks)
        let written = inputs(of: callbacks)
        try require((answers != nil) == (written != nil), "answers that are read or refused against the reference")
        guard let answers, let written else { return false }
        for input in written {
            // The name refers to the n-th callback of its kind. The server never asks for a name with another
            // beginning.
            guard input.name.hasPrefix("IDToken1") else { continue }
            let suffix = String(input.name.dropFirst("IDToken1".count))
            try require(
                answers.value(of: suffix, in: input.type, number: 1) == input.value, "another value in \(input.name)")
        }
        return true
    }

    private static func checkSame(_ body: JSONValue, _ reference: JSONReference) throws(FuzzFinding) {
        let again = try unwrap(JSONReference(Array(body.bytes)), "written, it is no JSON")
        try require(again.tokens == reference.tokens, "read as something else")
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 128 && text.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 && $0.value != 0x7F }
    }

    /// Returns all values that were written into inputs; nil if the form is wrong.
    private static func inputs(
        of callbacks: JSONValue
    ) -> [(type: String, name: String, value: JSONValue)]? {
        guard case .array(let callbacks) = callbacks, callbacks.count <= 16 else { return nil }
        var found: [(type: String, name: String, value: JSONValue)] = []
        for callback in callbacks {
            // A callback that only displays has no list of inputs.
            guard case .string(let type)? = callback["type"],
                case .array(let inputs) = callback["input"] ?? .array([]), inputs.count <= 16
            else { return nil }
            for input in inputs {
                guard case .string(let name)? = input["name"], let value = input["value"] else { return nil }
                guard isPlain(type), isPlain(name) else { return nil }
                guard !found.contains(where: { $0.type == type && $0.name == name }) else { return nil }
                found.append((type, name, value))
            }
        }
        return found
    }
}
