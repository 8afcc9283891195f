/// An invariant that an input breaks.
public struct FuzzFinding: Error, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// - Throws: ``FuzzFinding`` unless `holds`.
public func require(_ holds: Bool, _ invariant: @autoclosure () -> String) throws(FuzzFinding) {
    guard holds else { throw FuzzFinding(invariant()) }
}

/// What is in `value`.
///
/// - Throws: ``FuzzFinding`` if nothing is.
public func unwrap<Value>(_ value: Value?, _ invariant: @autoclosure () -> String) throws(FuzzFinding) -> Value {
    guard let value else { throw FuzzFinding(invariant()) }
    return value
}
