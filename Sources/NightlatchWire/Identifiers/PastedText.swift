/// What the characters of a text are worth that a person has typed or pasted, where only letters and digits count.
package enum PastedText {
    case counts
    /// White space, a dash, or a space without width: it may stand between groups of letters.
    case separates
    /// It cannot be seen: a format character, a variation selector. Copying brings it along.
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
