import Foundation

/// A text in the form in which lists are searched and ordered, without regard to capital and small letters.
///
/// Every store computes it with this type and keeps it beside the text, because databases fold letters differently: by
/// their locale, or only the letters of ASCII.
///
/// It is the canonical caseless form of [Unicode, section
/// 3.13](https://www.unicode.org/versions/latest/core-spec/chapter-3/#G34078). Swift has no fold of a scalar, so it is
/// made of the mappings to small letters, to capital letters and to small letters again. So `Straße`, `STRASSE` and
/// `strasse` are alike, and so are both ways of writing `É`. Accents count.
public struct SearchText: Hashable, Sendable {
    /// The folded text in Unicode's form C. Not empty if the text is not.
    public let folded: String

    public init(_ text: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
            let capitals = scalar.properties.lowercaseMapping.unicodeScalars.flatMap(
                \.properties.uppercaseMapping.unicodeScalars)
            for capital in capitals { scalars.append(contentsOf: capital.properties.lowercaseMapping.unicodeScalars) }
        }
        folded = String(scalars).precomposedStringWithCanonicalMapping
    }

    /// A text that a store has kept, which is folded already.
    package init(stored folded: String) { self.folded = folded }

    // Swift's `==` of strings is that of canonical equivalence, which is the same for texts in form C.

    /// The end of the range of texts that begin with this one, in the order of their bytes.
    ///
    /// No user id and no name contains this character, and its bytes come after those of all other characters.
    package var end: String { folded + "\u{10FFFF}" }
}
