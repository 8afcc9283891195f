/// A row of a list that is ordered by a folded text, with its place.
public struct PlacedRow<Row: Sendable>: Sendable {
    public let row: Row
    /// The place after the row, with the text that the store keeps beside it.
    ///
    /// The text is empty for a row that is not folded yet, so it must not be computed from the row: the next page would
    /// leave out the other rows without a text.
    public let place: ListPosition

    public init(_ row: Row, place: ListPosition) {
        self.row = row
        self.place = place
    }
}
