/// A name and its value in a list on a page.
package struct Fact: Sendable {
    package let name: String
    package let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
