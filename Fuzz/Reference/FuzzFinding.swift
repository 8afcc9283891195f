/// An invariant that an input breaks.
public struct FuzzFinding: Error, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// Checks that `holds` is true.
///
/// - Throws: ``FuzzFinding`` with the text `invariant` if it is false.
public func require(_ holds: Bool, _ invariant: @autoclosure () -> String) throws(FuzzFinding) {
    guard holds else { throw FuzzFinding(invariant()) }
}

/// Returns the value of an optional.
///
/// - Throws: ``FuzzFinding`` with the text `invariant` if `value` is nil.
public func unwrap<Value>(_ value: Value?, _ invariant: @autoclosure () -> String) throws(FuzzFinding) -> Value {
    guard let value else { throw FuzzFinding(invariant()) }
    return value
}
