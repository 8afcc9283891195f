/// What a client wrote into the inputs of the callbacks that it sends back. What it says of their outputs does not count.
struct CallbackAnswers: Hashable, Sendable {
    /// How many callbacks one answer may hold.
    private static let callbackLimit = 16

    private var values: [Place: OrderedJSON] = [:]

    private struct Place: Hashable {
        let type: String
        let name: String
    }

    /// Reads the `callbacks` of a request; nil for what is not of their form, and for an input that is filled twice.
    init?(_ callbacks: OrderedJSON) {
        guard let callbacks = callbacks.values, callbacks.count <= Self.callbackLimit else { return nil }
        for callback in callbacks {
            guard let type = callback["type"]?.text, let inputs = callback["input"]?.values else { return nil }
            for input in inputs {
                guard let name = input["name"]?.text, let value = input["value"],
                    values.updateValue(value, forKey: Place(type: type, name: name)) == nil
                else { return nil }
            }
        }
    }

    /// What was written into an input of the callback of `type` that was the `number`th.
    func value(of suffix: String, in type: String, number: Int) -> OrderedJSON? {
        values[Place(type: type, name: JourneyCallback.name(of: suffix, number: number))]
    }

    /// As ``value(of:in:number:)``, of a text; empty if there is none.
    func text(of suffix: String = "", in type: String, number: Int) -> String {
        value(of: suffix, in: type, number: number)?.text ?? ""
    }
}
