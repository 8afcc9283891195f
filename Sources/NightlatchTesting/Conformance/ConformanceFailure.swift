/// An adapter broke a promise of its port.
public struct ConformanceFailure: Error, CustomStringConvertible, Sendable {
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    static func require(_ condition: Bool, _ description: String) throws(ConformanceFailure) {
        guard condition else { throw ConformanceFailure(description) }
    }
}
