/// What a terminal can show, as far as its person's environment tells.
package struct TerminalCapabilities: Hashable, Sendable {
    /// Whether a picture can be drawn and drawn again. Where not, the pad speaks in lines.
    package var drawsPictures: Bool
    /// Whether more than ASCII can be shown.
    package var hasUnicode: Bool
    package var hasColor: Bool

    package init(drawsPictures: Bool, hasUnicode: Bool, hasColor: Bool) {
        self.drawsPictures = drawsPictures
        self.hasUnicode = hasUnicode
        self.hasColor = hasColor
    }

    /// - Parameters:
    ///   - environment: `TERM`; `LC_ALL`, `LC_CTYPE` and `LANG`, the first of which that says anything counts (POSIX.1-2017, section 8.2);
    ///     `NO_COLOR` (no-color.org).
    ///   - messagesAreSeen: Whether standard error goes to a terminal. Where not, nobody may be looking at one either.
    ///   - isPlain: Whether the person wants lines in any case.
    package init(environment: [String: String], messagesAreSeen: Bool, isPlain: Bool) {
        let terminal = environment["TERM"] ?? ""
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.uppercased().split(separator: ".").last ?? ""
        drawsPictures = !isPlain && messagesAreSeen && !["", "dumb", "unknown"].contains(terminal)
        // The console of Linux has 512 glyphs, and those of the keys are not among them.
        hasUnicode = terminal != "linux" && (encoding.hasPrefix("UTF-8") || encoding.hasPrefix("UTF8"))
        hasColor = (environment["NO_COLOR"] ?? "").isEmpty
    }
}
