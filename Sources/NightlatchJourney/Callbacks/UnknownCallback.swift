internal import Foundation
internal import NightlatchWire

/// A kind of callback that this module has no class for, such as one that asks for a number or for consent.
///
/// It goes back as it came, with the inputs that the app sets. An input takes the JSON type that the server documents for it: a text, a
/// number or a boolean.
public final class UnknownCallback: StatefulCallback {
    let state: CallbackState

    init(_ state: CallbackState) {
        self.state = state
    }

    /// Sets the n-th input to a text.
    ///
    /// - Returns: Whether there is such an input; if not, nothing is set.
    @discardableResult
    public func setInput(_ value: String, at index: Int) -> Bool { set(.string(value), at: index) }

    /// Sets the n-th input to `true` or `false`, such as an answer to terms and conditions.
    ///
    /// - Returns: Whether there is such an input; if not, nothing is set.
    @discardableResult
    public func setInput(_ value: Bool, at index: Int) -> Bool { set(.bool(value), at: index) }

    /// Sets the n-th input to a whole number.
    ///
    /// - Returns: Whether there is such an input; if not, nothing is set.
    @discardableResult
    public func setInput(_ value: Int, at index: Int) -> Bool { set(.integer(value), at: index) }

    /// Sets the n-th input to a number.
    ///
    /// - Returns: Whether there is such an input and JSON can say the number; if not, nothing is set. JSON has no infinity.
    @discardableResult
    public func setInput(_ value: Double, at index: Int) -> Bool {
        guard let number = JSONValue(foundation: value) else { return false }
        return set(number, at: index)
    }

    /// The JSON value of the n-th input as `JSONSerialization` gives it; nil if there is no such input.
    public func input(at index: Int) -> Any? { state.input(at: index)?.foundation }

    /// The JSON value of the output called `name` as `JSONSerialization` gives it; nil if there is none.
    public func output(_ name: String) -> Any? { state.output(name)?.foundation }

    private func set(_ value: JSONValue, at index: Int) -> Bool {
        guard state.input(at: index) != nil else { return false }
        state.setInput(at: index, to: value)
        return true
    }
}
