public import NightlatchJourney
import NightlatchUI

extension SigningContent {
    /// The text as the screen shows it. Characters that hide or reorder parts of it become visible.
    public var shownText: String? { text.map(\.withoutDisguise) }

    /// The claims, one line each, in the same form as ``shownText``.
    public var shownClaims: [String] {
        claims.map { "\($0.name): \($0.value)".withoutDisguise.replacing("\n", with: "⟨U+A⟩") }
    }
}

extension String {
    /// The text with its invisible characters, and those that control how others are shown, written as their numbers.
    /// Line breaks remain.
    fileprivate var withoutDisguise: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            // The joiner only joins its neighbours, as in many emoji.
            case .format where scalar == "\u{200D}": text.unicodeScalars.append(scalar)
            case .control where scalar == "\n": text.unicodeScalars.append(scalar)
            // The selector only requests the emoji form of the character before it.
            case .nonspacingMark where scalar == "\u{FE0F}" && text.unicodeScalars.last?.isPicture == true:
                text.unicodeScalars.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                text += scalar.number
            case _ where scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}": text += scalar.number
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is an emoji outside ASCII. Digits are emoji too.
    fileprivate var isPicture: Bool { properties.isEmoji && !isASCII }

    fileprivate var number: String { "⟨U+\(String(value, radix: 16, uppercase: true))⟩" }
}

extension PinPadStrings {
    /// The title of the button that signs, in the pad's language. English for other languages.
    var signKey: String {
        switch language {
        case "de": "Unterschreiben"
        case "fr": "Signer"
        default: "Sign"
        }
    }
}
