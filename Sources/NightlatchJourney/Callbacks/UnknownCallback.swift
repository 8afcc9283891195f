internal import Foundation
internal import NightlatchWire

/// A callback of a kind without a class in this module, such as one that asks for a number or for consent.
///
/// It is sent back unchanged, except for the inputs that the app sets. Use the JSON type that the server documents for
/// an input: a text, a number or a boolean.
public final class UnknownCallback: StatefulCallback {
    let state: CallbackState

    init(_ state: CallbackState) {
        self.state = state
    }

    /// Sets the input at `index` to a text.
    ///
    /// - Returns: Whether there is such an input. If not, nothing is set.
    @discardableResult
    public func setInput(_ value: String, at index: Int) -> Bool { set(.string(value), at: index) }

    /// Sets the input at `index` to `true` or `false`, such as an answer to terms and conditions.
    ///
    /// - Returns: Whether there is such an input. If not, nothing is set.
    @discardableResult
    public func setInput(_ value: Bool, at index: Int) -> Bool { set(.bool(value), at: index) }

    /// Sets the input at `index` to an integer.
    ///
    /// - Returns: Whether there is such an input. If not, nothing is set.
    @discardableResult
    public func setInput(_ value: Int, at index: Int) -> Bool { set(.integer(value), at: index) }

    /// Sets the input at `index` to a number.
    ///
    /// - Returns: Whether there is such an input and JSON can represent the number. If not, nothing is set. JSON has no
    ///   infinity.
    @discardableResult
    public func setInput(_ value: Double, at index: Int) -> Bool {
        guard let number = JSONValue(foundation: value) else { return false }
        return set(number, at: index)
    }

    /// The JSON value of the input at `index`, as `JSONSerialization` returns it. Nil if there is no such input.
    public func input(at index: Int) -> Any? { state.input(at: index)?.foundation }

    /// The JSON value of the output `name`, as `JSONSerialization` returns it. Nil if there is none.
    public func output(_ name: String) -> Any? { state.output(name)?.foundation }

    private func set(_ value: JSONValue, at index: Int) -> Bool {
        guard state.input(at: index) != nil else { return false }
        state.setInput(at: index, to: value)
        return true
    }
}
