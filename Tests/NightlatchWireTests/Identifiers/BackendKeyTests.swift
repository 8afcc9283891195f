import NightlatchWire
import Testing

@Suite("Backend keys")
struct BackendKeyTests {
    private static let key = String(repeating: "k", count: 43)

    @Test("The key of a file is its first line that is not empty", arguments: ["K\n", "K", "K\nx\n", "\n\nK", "K\r\n"])
    func firstLine(form: String) {
        #expect(BackendKey(fileText: form.replacing("K", with: Self.key))?.rawValue == Self.key)
    }

    @Test("A text whose first line is no key has none", arguments: ["", "\n\n", "no key\nK", " K", "K K", "\u{FFFD}"])
    func malformed(form: String) {
        #expect(BackendKey(fileText: form.replacing("K", with: Self.key)) == nil)
    }

    @Test(
        "A key of fewer than 22 characters is too short", arguments: [(1, true), (21, true), (22, false), (43, false)])
    func short(count: Int, isTooShort: Bool) throws {
        let key = try #require(BackendKey(fileText: String(repeating: "k", count: count)))
        #expect(key.isTooShort == isTooShort)
    }
}
