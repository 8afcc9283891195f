package import NightlatchUI

/// A pad as a terminal shows it: a pure function of what is to be drawn and of the window. The circles tell how many digits were typed;
/// which, nothing here knows.
///
/// In a smaller window the keys lose their frames, then go, since digits can be typed without them. What the person decides on, what is
/// wrong and how long to wait never go: where they do not fit, the picture says so and ``isComplete`` is false.
package struct PadPicture: Hashable, Sendable {
    /// From the top of the window; no line is wider than it, and there are no more of them than it has rows.
    package let lines: [[PadSpan]]
    /// Whether all is there that a person must see. If not, no digit may be taken.
    package let isComplete: Bool

    /// - Parameters:
    ///   - display: What is to be drawn.
    ///   - focus: The key that Return presses, if the arrows have led to one.
    ///   - size: The window.
    ///   - capabilities: What the terminal can show.
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

    /// The characters alone.
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
