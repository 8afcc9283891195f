import CQRCode

/// A QR code ([ISO/IEC 18004](https://www.iso.org/standard/83389.html)), made by libqrencode.
package struct QRCode {
    /// The number of modules of a side.
    let size: Int
    /// The rows of modules, one after another. `true` is dark.
    private let modules: [Bool]

    /// The modules around a code that must be light, so that scanners find it (ISO/IEC 18004, section 6.3.8).
    private static let quietZone = 4

    /// Encodes `text` as bytes with the lowest error correction: a screen has no dirt, and fewer modules can be scanned
    /// from further away. Returns nil for text that does not fit into a code, or that contains a zero byte.
    package init?(_ text: String) {
        guard !text.utf8.contains(0), let code = unsafe QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else {
            return nil
        }
        defer { unsafe QRcode_free(code) }
        size = Int(unsafe code.pointee.width)
        // The library allocates a byte for each module; the lowest bit is its colour.
        modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    /// The side of the drawing in modules, with the quiet zone.
    var side: Int { size + 2 * Self.quietZone }

    /// The dark modules as the data of an SVG path, one rectangle for each run in a row.
    var path: String {
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                guard modules[row * size + column] else {
                    column += 1
                    continue
                }
                let start = column
                while column < size, modules[row * size + column] { column += 1 }
                let length = column - start
                path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(length)v1h-\(length)z"
            }
        }
        return path
    }

    /// The code for a terminal: a character for two modules, one above the other. Each line sets its own colours, dark
    /// on light, because some scanners do not read the reverse.
    package var terminalLines: [String] {
        stride(from: 0, to: side, by: 2).map { row in
            let characters = (0..<side).map { column -> Character in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1B}[30;107m" + String(characters) + "\u{1B}[0m"
        }
    }

    /// Whether a module of the drawing is dark. The quiet zone and what is outside are light.
    private func isDark(_ row: Int, _ column: Int) -> Bool {
        let (row, column) = (row - Self.quietZone, column - Self.quietZone)
        guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
        return modules[row * size + column]
    }
}
