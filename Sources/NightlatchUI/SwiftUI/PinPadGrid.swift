#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// The digits, and the keys beside the last one. The order is that of a telephone, also in right-to-left languages.
struct PinPadGrid: View {
    let rows: [PinPadGridRow]
    let layout: PinPadLayout
    let press: @MainActor (PinPadKey) -> Void

    var body: some View {
        LazyVGrid(columns: columns, spacing: PinPadLayout.keySpacing) {
            ForEach(rows.flatMap(\.places)) { place in
                if let key = place.key {
                    PinPadButton(key: key, press: press).frame(height: layout.keyHeight)
                } else {
                    Color.clear.frame(height: layout.keyHeight).accessibilityHidden(true)
                }
            }
        }
        .frame(width: layout.gridWidth)
        .environment(\.layoutDirection, .leftToRight)
    }

    private var columns: [GridItem] {
        Array(repeating: GridItem(.flexible(), spacing: PinPadLayout.keySpacing), count: 3)
    }
}

/// A key of the grid.
struct PinPadButton: View {
    let key: PinPadScreenKey
    let press: @MainActor (PinPadKey) -> Void
    @Environment(\.pinPadTheme) private var theme

    var body: some View {
        Button {
            press(key.key)
        } label: {
            face
                .minimumScaleFactor(0.5)
                .frame(maxWidth: .infinity, maxHeight: .infinity)
                .contentShape(.rect)
        }
        .buttonStyle(PinPadKeyStyle())
        .disabled(!key.isEnabled)
        .accessibilityLabel(Text(verbatim: key.label))
        .accessibilityAddTraits(.isKeyboardKey)
    }

    @ViewBuilder
    private var face: some View {
        switch key.face {
        case .text(let text): Text(verbatim: text).font(theme.digitFont).foregroundStyle(theme.text)
        case .delete: Image(systemName: "delete.left").font(theme.digitFont).foregroundStyle(theme.accent)
        case .biometrics: Image(systemName: theme.biometricsSymbol).font(theme.digitFont).foregroundStyle(theme.accent)
        }
    }
}

/// The style of a key, which changes while the key is pressed.
struct PinPadKeyStyle: ButtonStyle {
    @Environment(\.pinPadTheme) private var theme
    @Environment(\.isEnabled) private var isEnabled

    func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .background(theme.keyBackground, in: .rect(cornerRadius: theme.keyCornerRadius))
            .opacity(configuration.isPressed ? 0.5 : isEnabled ? 1 : 0.35)
    }
}
#endif
