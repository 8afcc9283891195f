package import NightlatchWire

/// What a client wrote into the inputs of the callbacks that it sends back. What it says of their outputs does not count.
package struct CallbackAnswers: Hashable, Sendable {
    /// How many callbacks one answer may hold.
    private static let callbackLimit = 16
    /// How many inputs one callback may have: an attribute collector, which has the most, has two.
    private static let inputLimit = 16

    private var values: [Place: JSONValue] = [:]

    private struct Place: Hashable {
        let type: String
        let name: String

        /// Nil unless both are at most 128 printable ASCII characters, as all that is asked here is. Other texts would be normalised to be hashed,
        /// which costs up to the square of their length.
        init?(type: String, name: String) {
            for text in [type, name] {
                guard text.utf8.count <= 128, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
            }
            self.type = type
            self.name = name
        }
    }

    /// Reads the `callbacks` of a request; nil for what is not of their form, for more than there can be, and for an input that is filled
    /// twice.
    package init?(_ callbacks: JSONValue) {
        guard let callbacks = callbacks.array, callbacks.count <= Self.callbackLimit else { return nil }
        for callback in callbacks {
            guard let type = callback["type"]?.string, let inputs = callback["input"]?.array,
                inputs.count <= Self.inputLimit
            else { return nil }
            for input in inputs {
                guard let name = input["name"]?.string, let value = input["value"],
                    let place = Place(type: type, name: name), values.updateValue(value, forKey: place) == nil
                else { return nil }
            }
        }
    }

    /// What was written into an input of the callback of `type` that was the `number`th.
    package func value(of suffix: String, in type: String, number: Int) -> JSONValue? {
        Place(type: type, name: JourneyCallback.name(of: suffix, number: number)).flatMap { values[$0] }
    }

    /// As ``value(of:in:number:)``, of a text; empty if there is none.
    func text(of suffix: String = "", in type: String, number: Int) -> String {
        value(of: suffix, in: type, number: number)?.string ?? ""
    }
}
