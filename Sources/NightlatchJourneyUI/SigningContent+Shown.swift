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
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                text += "⟨U+\(String(scalar.value, radix: 16, uppercase: true))⟩"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
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
