import NightlatchUI
import Testing

@Suite("The pad on a keyboard")
struct PinPadKeyboardTests {
    @Test("Digits of every script are digits", arguments: ["0123456789", "٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९", "０１２３４５６７８９"])
    func digits(script: String) {
        #expect(script.compactMap(PinPadKey.init(keyboard:)) == PinDigit.allCases.map(PinPadKey.digit))
    }

    @Test(
        "Backspace and delete delete, return and enter submit, escape cancels",
        arguments: [
            ("\u{8}", .delete), ("\u{7F}", .delete), ("\u{F728}", .delete), ("\r", .submit), ("\n", .submit),
            ("\u{3}", .submit), ("\u{1B}", .cancel),
        ] as [(Character, PinPadKey)])
    func named(character: Character, key: PinPadKey) {
        #expect(PinPadKey(keyboard: character) == key)
    }

    @Test(
        "Nothing else is a key, and above all no number character that is not a digit",
        arguments: Array("a- .Ⅳ½²①一\t\u{F700}") + ["1\u{301}"])
    func others(character: Character) {
        #expect(PinPadKey(keyboard: character) == nil)
    }
}
