package import NightlatchUI

/// The positions of a pad's keys: three in a row, and in the last row delete, the last digit, and submit.
package struct PadGrid: Hashable, Sendable {
    package static let (rowCount, columnCount) = (4, 3)

    /// A position on the grid.
    package struct Place: Hashable, Sendable {
        package let row: Int
        package let column: Int

        package static let middle = Place(row: 1, column: 1)

        /// Returns the position at this distance, limited to the grid.
        package func moved(rows: Int, columns: Int) -> Place {
            Place(
                row: min(max(row + rows, 0), PadGrid.rowCount - 1),
                column: min(max(column + columns, 0), PadGrid.columnCount - 1))
        }
    }

    private let order: PinPadOrder

    package init(_ order: PinPadOrder) {
        self.order = order
    }

    package subscript(_ place: Place) -> PinPadKey {
        guard place.row == Self.rowCount - 1 else {
            return .digit(order.digits[place.row * Self.columnCount + place.column])
        }
        return [.delete, .digit(order.digits[order.digits.count - 1]), .submit][place.column]
    }
}
