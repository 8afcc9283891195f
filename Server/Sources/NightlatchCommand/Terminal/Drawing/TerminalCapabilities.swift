/// A terminal's capabilities, derived from the environment.
package struct TerminalCapabilities: Hashable, Sendable {
    /// Whether the terminal can draw and redraw a pad. If not, the pad prints lines.
    package var drawsPictures: Bool
    /// Whether the terminal can show more than ASCII.
    package var hasUnicode: Bool
    package var hasColor: Bool

    package init(drawsPictures: Bool, hasUnicode: Bool, hasColor: Bool) {
        self.drawsPictures = drawsPictures
        self.hasUnicode = hasUnicode
        self.hasColor = hasColor
    }

    /// Reads the capabilities from the environment.
    ///
    /// - Parameters:
    ///   - environment: The environment variables. The result depends on `TERM`, `NO_COLOR` (no-color.org), and the
    ///     first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set (POSIX.1-2017, section 8.2).
    ///   - messagesAreSeen: Whether standard error is a terminal. If not, the user may not see the terminal either.
    ///   - isPlain: Whether the user asked for plain lines.
    package init(environment: [String: String], messagesAreSeen: Bool, isPlain: Bool) {
        let terminal = environment["TERM"] ?? ""
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.uppercased().split(separator: ".").last ?? ""
        drawsPictures = !isPlain && messagesAreSeen && !["", "dumb", "unknown"].contains(terminal)
        // The Linux console has only 512 glyphs; those of the pad's keys are missing.
        hasUnicode = terminal != "linux" && (encoding.hasPrefix("UTF-8") || encoding.hasPrefix("UTF8"))
        hasColor = (environment["NO_COLOR"] ?? "").isEmpty
    }
}
