/// A step of the story did not go as it must.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    static func require(_ condition: Bool, _ description: String) throws {
        guard condition else { throw DemoFailure(description) }
    }
}
