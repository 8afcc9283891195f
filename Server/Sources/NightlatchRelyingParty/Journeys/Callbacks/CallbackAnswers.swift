package import NightlatchWire

/// The values that a client wrote into the inputs of the callbacks that it sends back.
///
/// The outputs that it sends back are ignored.
package struct CallbackAnswers: Hashable, Sendable {
    /// The largest number of callbacks in one answer.
    static let callbackLimit = 16
    /// The largest number of inputs of one callback. An attribute collector, which has the most, has two.
    private static let inputLimit = 16

    private var values: [Place: JSONValue] = [:]

    private struct Place: Hashable {
        let type: String
        let name: String

        /// Returns nil unless `type` and `name` are each at most 128 printable ASCII characters, as all valid types and
        /// names are.
        ///
        /// Hashing other text would normalise it first, which takes time proportional to the square of its length.
        init?(type: String, name: String) {
            for text in [type, name] {
                guard text.utf8.count <= 128, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
            }
            self.type = type
            self.name = name
        }
    }

    /// Parses the `callbacks` of a request.
    ///
    /// Returns nil if the form is wrong, there are too many callbacks or inputs, or an input occurs twice.
    package init?(_ callbacks: JSONValue) {
        guard let callbacks = callbacks.array, callbacks.count <= Self.callbackLimit else { return nil }
        for callback in callbacks {
            // A callback that only displays has no list of inputs.
            guard let type = callback["type"]?.string, let inputs = (callback["input"] ?? .array([])).array,
                inputs.count <= Self.inputLimit
            else { return nil }
            for input in inputs {
                guard let name = input["name"]?.string, let value = input["value"],
                    let place = Place(type: type, name: name), values.updateValue(value, forKey: place) == nil
                else { return nil }
            }
        }
    }

    /// The value of an input of the `number`th callback, if that callback has the type `type`.
    package func value(of suffix: String, in type: String, number: Int) -> JSONValue? {
        Place(type: type, name: JourneyCallback.name(of: suffix, number: number)).flatMap { values[$0] }
    }

    /// The value that ``value(of:in:number:)`` returns, if it is a string; otherwise empty.
    func text(of suffix: String = "", in type: String, number: Int) -> String {
        value(of: suffix, in: type, number: number)?.string ?? ""
    }
}
