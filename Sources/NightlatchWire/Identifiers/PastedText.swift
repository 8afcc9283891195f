/// The role of a character in typed or pasted text. Only the letters and digits of such text count.
package enum PastedText {
    case counts
    /// White space, a dash or a zero-width space. It may separate groups of letters.
    case separates
    /// An invisible character, such as a format character or a variation selector. Copying text often adds some.
    case isInvisible

    package init(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        if properties.isWhitespace || properties.isDash || scalar == "\u{200B}" {
            self = .separates
        } else if properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format {
            self = .isInvisible
        } else {
            self = .counts
        }
    }
}
