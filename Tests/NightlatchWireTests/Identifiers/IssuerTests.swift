import Foundation
import NightlatchWire
import Testing

@Suite("Issuers")
struct IssuerTests {
    /// Whether Foundation accepts `text` as a URL that may be an issuer.
    private func isName(_ text: String) -> Bool {
        guard text.utf8.count <= 256, let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            let host = parts.host, !host.isEmpty, (1...65535).contains(parts.port ?? 443), parts.user == nil,
            parts.password == nil, parts.query == nil, parts.fragment == nil, !text.hasSuffix("/"),
            !text.contains("%")
        else { return false }
        return parts.scheme == "https" || parts.scheme == "http" && ["127.0.0.1", "localhost", "[::1]"].contains(host)
    }

    @Test("Of thousands of similar texts, exactly those are issuers that Foundation accepts as such a URL")
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
            // Characters outside ASCII are refused here; Foundation encodes them.
            #expect((issuer != nil) == (isName(text) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }), "\(text)")
            accepted += issuer == nil ? 0 : 1
        }
        #expect(accepted > 1000)
    }

    @Test("An issuer has at most 256 bytes")
    func length() {
        #expect(Issuer(rawValue: "https://" + String(repeating: "a", count: 248)) != nil)
        #expect(Issuer(rawValue: "https://" + String(repeating: "a", count: 249)) == nil)
    }
}
