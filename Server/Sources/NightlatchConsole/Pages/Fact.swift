/// A name and its value, as a page lists them.
package struct Fact: Sendable {
    package let name: String
    package let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
