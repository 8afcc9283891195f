/// A part of a list that may be long.
package struct AdministrationPage<Element: Sendable, Position: Sendable>: Sendable {
    package let elements: [Element]
    /// Where the next page begins; nil if this is the last one.
    package let next: Position?

    /// Makes a page of `found`, which is one longer than `length` if there are more.
    init(_ found: [Element], length: Int, position: (Element) -> Position) {
        elements = Array(found.prefix(length))
        next = found.count > length ? elements.last.map(position) : nil
    }
}
