import Foundation
import NightlatchWire
import Testing

@Suite("A relying party's name")
struct IssuerTests {
    /// Whether Foundation takes `text` for a URL that may be a name.
    private func isName(_ text: String) -> Bool {
        guard text.utf8.count <= 256, let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            let host = parts.host, !host.isEmpty, (1...65535).contains(parts.port ?? 443), parts.user == nil,
            parts.password == nil, parts.query == nil, parts.fragment == nil, !text.hasSuffix("/"),
            !text.contains("%")
        else { return false }
        return parts.scheme == "https" || parts.scheme == "http" && ["127.0.0.1", "localhost", "[::1]"].contains(host)
    }

    @Test("is what Foundation takes for such a URL, and nothing else, among thousands of texts that look like one")
    func asFoundation() {
        var generator = SeededGenerator(seed: 3986)
        let beginnings = ["https://", "http://", "http://127.0.0.1", "http://localhost", "https:/", "HTTPS://"]
        let pieces = [
            "a", "Z9", "example", ".", "..", "-", "--", "xn--", "xn--bcher-kva", ":", ":8080", ":65535", ":65536", ":0",
            ":443", ":08", "/", "/path", "@", "?", "#", "[", "]", "_", "~", "%41", "127.0.0.1", "é", " ",
        ]
        var accepted = 0
        for _ in 0..<20_000 {
            var text = beginnings.randomElement(using: &generator) ?? ""
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                text += pieces.randomElement(using: &generator) ?? ""
            }
            let issuer = Issuer(rawValue: text)
            // Characters outside of ASCII are refused here, and encoded there.
            #expect((issuer != nil) == (isName(text) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }), "\(text)")
            accepted += issuer == nil ? 0 : 1
        }
        #expect(accepted > 1000)
    }

    @Test("has at most 256 bytes")
    func length() {
        #expect(Issuer(rawValue: "https://" + String(repeating: "a", count: 248)) != nil)
        #expect(Issuer(rawValue: "https://" + String(repeating: "a", count: 249)) == nil)
    }
}
