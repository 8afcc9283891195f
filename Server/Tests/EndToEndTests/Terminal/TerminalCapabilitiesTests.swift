import NightlatchCommand
import Testing

@Suite("Capabilities of a terminal")
struct TerminalCapabilitiesTests {
    private func capabilities(
        _ environment: [String: String],
        messagesAreSeen: Bool = true,
        isPlain: Bool = false
    ) -> TerminalCapabilities {
        TerminalCapabilities(environment: environment, messagesAreSeen: messagesAreSeen, isPlain: isPlain)
    }

    @Test("Pictures are drawn unless the terminal is dumb, standard error is not visible, or the user wants lines")
    func pictures() {
        #expect(capabilities(["TERM": "xterm"]).drawsPictures)
        #expect(!capabilities(["TERM": "xterm"], isPlain: true).drawsPictures)
        #expect(!capabilities(["TERM": "xterm"], messagesAreSeen: false).drawsPictures)
        for terminal in [["TERM": "dumb"], ["TERM": ""], ["TERM": "unknown"], [:]] {
            #expect(!capabilities(terminal).drawsPictures)
        }
    }

    @Test(
        "Unicode depends on the locale; the first of its variables that is set decides",
        arguments: [
            (["LANG": "de_DE.UTF-8"], true), (["LANG": "en_GB.utf8"], true),
            (["LC_ALL": "C", "LANG": "C.UTF-8"], false),
            (["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"], true), (["LANG": "de_DE.ISO-8859-1"], false),
            ([:], false),
            (["LANG": "sr_RS.UTF-8@latin", "TERM": "xterm"], true), (["LANG": "C.UTF-8", "TERM": "linux"], false),
        ])
    func unicode(environment: [String: String], expected: Bool) {
        #expect(capabilities(environment).hasUnicode == expected)
    }

    @Test("Colours are used unless NO_COLOR is set")
    func colour() {
        #expect(capabilities([:]).hasColor && capabilities(["NO_COLOR": ""]).hasColor)
        #expect(!capabilities(["NO_COLOR": "1"]).hasColor)
    }
}
