#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// The pad's question and messages.
struct PinPadHeading: View {
    let screen: PinPadScreen
    @Environment(\.pinPadTheme) private var theme

    var body: some View {
        VStack(spacing: 8) {
            Text(verbatim: screen.title)
                .font(theme.titleFont)
                .foregroundStyle(theme.text)
                .accessibilityAddTraits(.isHeader)
            if let detail = screen.detail {
                Text(verbatim: detail).font(theme.textFont).foregroundStyle(theme.secondaryText)
            }
            if let message = screen.message {
                Label {
                    Text(verbatim: message)
                } icon: {
                    Image(systemName: "exclamationmark.circle.fill").accessibilityHidden(true)
                }
                .font(theme.textFont)
                .foregroundStyle(theme.error)
            }
            if let triesLeft = screen.triesLeft {
                Text(verbatim: triesLeft).font(theme.textFont).foregroundStyle(theme.secondaryText)
            }
            if let countdown = screen.countdown {
                Text(verbatim: countdown)
                    .font(theme.textFont.monospacedDigit())
                    .foregroundStyle(theme.text)
                    .accessibilityAddTraits(.updatesFrequently)
            }
        }
        .multilineTextAlignment(.center)
        .fixedSize(horizontal: false, vertical: true)
    }
}
#endif
