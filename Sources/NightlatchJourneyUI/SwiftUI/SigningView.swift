#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import NightlatchJourney
import NightlatchUI
import SwiftUI

/// The complete content to sign, and the key's user.
struct SigningView: View {
    let content: SigningContent
    let sign: @MainActor (Bool) -> Void
    @Environment(\.pinPadStrings) private var strings
    @Environment(\.pinPadTheme) private var theme

    var body: some View {
        VStack(spacing: 16) {
            Text(verbatim: content.prompt.title).font(theme.titleFont).accessibilityAddTraits(.isHeader)
            Text(verbatim: content.key.ownerName).font(theme.textFont).foregroundStyle(theme.secondaryText)
            ScrollView {
                VStack(alignment: .leading, spacing: 12) {
                    if let text = content.shownText { Text(verbatim: text).font(theme.titleFont) }
                    ForEach(content.shownClaims, id: \.self) { claim in Text(verbatim: claim).font(theme.textFont) }
                }
                .frame(maxWidth: .infinity, alignment: .leading)
            }
            Button {
                sign(true)
            } label: {
                Text(verbatim: strings.signKey).frame(minHeight: 30)
            }
            .buttonStyle(.borderedProminent)
            Button {
                sign(false)
            } label: {
                Text(verbatim: strings[.key(.cancel)]).frame(minHeight: 44).contentShape(.rect)
            }
            .buttonStyle(.borderless)
        }
        .padding()
    }
}
#endif
