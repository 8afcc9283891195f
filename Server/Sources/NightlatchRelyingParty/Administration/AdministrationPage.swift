/// One page of a list.
package struct AdministrationPage<Element: Sendable, Position: Sendable>: Sendable {
    package let elements: [Element]
    /// The position after which the next page begins; nil on the last page.
    package let next: Position?

    /// Makes a page from `found`, which has one element more than `length` if there are further pages.
    init(_ found: [Element], length: Int, position: (Element) -> Position) {
        elements = Array(found.prefix(length))
        next = found.count > length ? elements.last.map(position) : nil
    }

    /// Like ``init(_:length:position:)``, for rows whose places the store knows.
    init(_ found: [PlacedRow<Element>], length: Int) where Position == ListPosition {
        let shown = found.prefix(length)
        elements = shown.map(\.row)
        next = found.count > length ? shown.last?.place : nil
    }
}
