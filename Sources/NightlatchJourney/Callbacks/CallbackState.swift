internal import Nightlatch
internal import NightlatchWire

/// The JSON of a callback. Only the values of its inputs change. Unknown members and the order of all members are sent
/// back unchanged.
final class CallbackState: Sendable {
    private struct Content: Sendable {
        var json: JSONObject
        var offeredKey: KeyTag?
        var signedKey: KeyTag?
    }

    let type: String
    private let content: Locked<Content>

    init(_ json: JSONObject) {
        type = json["type"]?.string ?? ""
        content = Locked(Content(json: json))
    }

    var json: JSONObject { content.withLock { $0.json } }

    /// The key that the callback offers to bind.
    var offeredKey: KeyTag? {
        get { content.withLock { $0.offeredKey } }
        set { content.withLock { $0.offeredKey = newValue } }
    }
    /// The key with which the callback has signed.
    var signedKey: KeyTag? {
        get { content.withLock { $0.signedKey } }
        set { content.withLock { $0.signedKey = newValue } }
    }

    /// The value of the output `name`.
    func output(_ name: String) -> JSONValue? { outputs.first { $0["name"]?.string == name }?["value"] }

    /// The value of the output at `index`.
    func output(at index: Int) -> JSONValue? { outputs.indices.contains(index) ? outputs[index]["value"] : nil }

    /// The value of the input at `index`.
    func input(at index: Int) -> JSONValue? {
        let inputs = json["input"]?.array ?? []
        return inputs.indices.contains(index) ? inputs[index].object?["value"] : nil
    }

    /// Sets the value of the input at `index`.
    func setInput(at index: Int, to value: JSONValue) {
        setInputs { place, _ in place == index ? value : nil }
    }

    /// Sets the values of inputs, each found by the end of its name. In the n-th callback of a page, each name begins
    /// with `IDToken` and the number n.
    ///
    /// - Returns: Whether there is an input for every value.
    @discardableResult
    func setInputs(_ values: [String: String]) -> Bool {
        var missing = Set(values.keys)
        setInputs { _, name in
            guard let end = values.keys.first(where: { Self.isInput(name, called: $0) }) else { return nil }
            missing.remove(end)
            return values[end].map(JSONValue.string)
        }
        return missing.isEmpty
    }

    private var outputs: [JSONObject] { (json["output"]?.array ?? []).compactMap(\.object) }

    private static func isInput(_ name: String, called end: String) -> Bool {
        guard name.hasSuffix(end) else { return false }
        let start = name.dropLast(end.count)
        return start.isEmpty || start.hasPrefix("IDToken") && start.dropFirst(7).allSatisfy(\.isNumber)
    }

    private func setInputs(_ value: (Int, String) -> JSONValue?) {
        content.withLock { content in
            guard var inputs = content.json["input"]?.array else { return }
            for index in inputs.indices {
                guard var input = inputs[index].object, let new = value(index, input["name"]?.string ?? "") else {
                    continue
                }
                input.set("value", new)
                inputs[index] = .object(input)
            }
            content.json.set("input", .array(inputs))
        }
    }
}

extension CallbackState: CustomReflectable {
    /// Leaves out the values, which may include passwords.
    var customMirror: Mirror { Mirror(self, children: ["type": type]) }
}
