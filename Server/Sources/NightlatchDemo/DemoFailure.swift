/// The error of a story step that did not go as expected.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    static func require(_ condition: Bool, _ description: String) throws {
        guard condition else { throw DemoFailure(description) }
    }
}
