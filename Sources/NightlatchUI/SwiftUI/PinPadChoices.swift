#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// The keys below the digits: the main one, and those for leaving.
@MainActor
struct PinPadChoices: View {
    let choices: [PinPadScreenKey]
    let press: @MainActor (PinPadKey) -> Void
    @Environment(\.pinPadTheme) private var theme

    var body: some View {
        VStack(spacing: 12) {
            ForEach(choices) { choice in
                button(choice)
                    .disabled(!choice.isEnabled)
                    .tint(choice.key == .giveUp ? theme.error : theme.accent)
            }
        }
        .font(theme.textFont)
    }

    @ViewBuilder
    private func button(_ choice: PinPadScreenKey) -> some View {
        switch choice.key {
        case .submit, .giveUp:
            Button(role: choice.key == .giveUp ? .destructive : nil) {
                press(choice.key)
            } label: {
                Text(verbatim: choice.label).frame(minHeight: PinPadLayout.leastKeyHeight - 14)
            }
            .buttonStyle(.borderedProminent)
        case .digit, .delete, .biometrics, .cancel, .forgotten:
            Button {
                press(choice.key)
            } label: {
                Text(verbatim: choice.label)
                    .frame(minHeight: PinPadLayout.leastKeyHeight)
                    .contentShape(.rect)
            }
            .buttonStyle(.borderless)
        }
    }
}
#endif
