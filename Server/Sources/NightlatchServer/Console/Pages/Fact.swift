/// A name and what it stands for, as a page lists them.
struct Fact: Sendable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
