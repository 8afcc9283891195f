public import NightlatchJourney
import NightlatchUI

extension SigningContent {
    /// The text as the screen shows it: every character, and what would hide or turn round a part of it in plain sight.
    public var shownText: String? { text.map(\.withoutDisguise) }

    /// The claims, each in one line, shown like ``shownText``.
    public var shownClaims: [String] {
        claims.map { "\($0.name): \($0.value)".withoutDisguise.replacing("\n", with: "⟨U+A⟩") }
    }
}

extension String {
    /// With characters that control how others are shown, or are not shown themselves, written out by their numbers. Lines may break.
    fileprivate var withoutDisguise: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            // It only joins what stands on both sides of it, as in many an emoji.
            case .format where scalar == "\u{200D}": text.unicodeScalars.append(scalar)
            case .control where scalar == "\n": text.unicodeScalars.append(scalar)
            // It asks for the picture of the character before it, as in many an emoji.
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
    /// Digits are emoji as well.
    fileprivate var isPicture: Bool { properties.isEmoji && !isASCII }

    fileprivate var number: String { "⟨U+\(String(value, radix: 16, uppercase: true))⟩" }
}

extension PinPadStrings {
    /// What stands on the key that signs, in the languages of the pad; English in any other.
    var signKey: String {
        switch language {
        case "de": "Unterschreiben"
        case "fr": "Signer"
        default: "Sign"
        }
    }
}
