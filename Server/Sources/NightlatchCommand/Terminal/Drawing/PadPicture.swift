package import NightlatchUI

/// The picture of a pad at a terminal: a pure function of the display, the selected key, the window and the terminal's
/// capabilities. The circles show the number of typed digits; this type does not know the digits.
///
/// In a smaller window, the keys first lose their frames, then disappear, since digits can be typed without them. The
/// decision, the error and the time to wait are always shown. If they do not fit, the picture asks for a larger window,
/// and ``isComplete`` is false.
package struct PadPicture: Hashable, Sendable {
    /// The lines from the top of the window. They fit in its width and height.
    package let lines: [[PadSpan]]
    /// Whether everything that the user must see is shown. If not, no digit may be accepted.
    package let isComplete: Bool

    /// Draws a display.
    ///
    /// - Parameters:
    ///   - display: The display to draw.
    ///   - focus: The key that Return presses; nil if none was selected with the arrows.
    ///   - size: The window's size.
    ///   - capabilities: The terminal's capabilities.
    package init(
        _ display: PinPadDisplay,
        focus: PadGrid.Place?,
        size: TerminalSize,
        capabilities: TerminalCapabilities
    ) {
        let layouts = PadLayout.Keys.allCases.map {
            PadLayout(
                display: display, focus: focus, columns: size.columns, keys: $0,
                glyphs: capabilities.hasUnicode ? .unicode : .ascii)
        }
        let bodies = layouts.lazy.map(\.lines)
        if let body = bodies.first(where: { $0.fits(size) }) {
            let margin = (size.rows - body.count) / 3
            lines = Array(repeating: [], count: margin) + body.map { $0.centered(in: size.columns) }
            isComplete = true
        } else {
            let words = "This window is too small. Make it larger, or press \(layouts[0].glyphs.control)C to cancel."
            lines = TerminalText(words).wrapped(to: max(size.columns, 1)).prefix(max(size.rows, 1)).map {
                [PadSpan($0)]
            }
            isComplete = false
        }
    }

    /// The text without attributes.
    package var text: [String] { lines.map { $0.map(\.text).joined() } }
}

extension [[PadSpan]] {
    fileprivate func fits(_ size: TerminalSize) -> Bool {
        count <= size.rows && allSatisfy { $0.width <= size.columns }
    }
}

extension [PadSpan] {
    var width: Int { reduce(0) { $0 + TerminalText($1.text).width } }

    fileprivate func centered(in columns: Int) -> [PadSpan] {
        isEmpty ? [] : [PadSpan(String(repeating: " ", count: (columns - width) / 2))] + self
    }
}
