#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Accessibility
import Foundation
public import SwiftUI

/// A view that draws a pad and passes it the user's input: fingers, keyboards, VoiceOver.
///
/// ```swift
/// PinPadView(pad)
/// ```
///
/// The view decides nothing: ``PinPadScreen`` has its texts and keys, ``PinPadLayout`` its positions. It gets no typed
/// digit. While the app is not in front, the view is covered. In the background, the pad discards the typed digits.
@MainActor
public struct PinPadView: View {
    private let pad: PinPadModel
    @Environment(\.pinPadTheme) private var theme
    @Environment(\.pinPadStrings) private var strings
    @Environment(\.scenePhase) private var scenePhase
    @Environment(\.accessibilityReduceMotion) private var reducesMotion
    /// The height of a digit at the user's text size.
    @ScaledMetric(relativeTo: .title) private var textHeight = 28.0
    @FocusState private var hasKeyboard: Bool
    @State private var shakeCount = 0
    @State private var felt: PinPadModel.Feedback?

    public init(_ pad: PinPadModel) {
        self.pad = pad
    }

    public var body: some View {
        let screen = PinPadScreen(pad.display, in: strings)
        GeometryReader { place in
            let layout = PinPadLayout(
                width: Double(place.size.width), height: Double(place.size.height), textHeight: textHeight)
            ScrollView {
                content(screen, layout)
                    .padding()
                    .frame(maxWidth: .infinity, minHeight: place.size.height)
            }
            .scrollBounceBehavior(.basedOnSize)
        }
        .privacySensitive()
        .overlay { if scenePhase != .active { PrivacyCover() } }
        .focusable()
        .focusEffectDisabled()
        .focused($hasKeyboard)
        .onKeyPress(phases: .down, action: take)
        .onAppear {
            hasKeyboard = true
            if let before = pad.moment.beforeMessage { react(from: before, to: pad.moment) }
        }
        // A closed sheet or prompt may have taken the keyboard focus.
        .onChange(of: pad.display.title) { _, _ in hasKeyboard = true }
        .onChange(of: scenePhase) { _, phase in
            if phase == .background { pad.clear() }
            if phase == .active { hasKeyboard = true }
        }
        .accessibilityAction(.escape) { pad.press(.cancel) }
        .haptics(felt)
        .onChange(of: pad.moment, react)
    }

    @ViewBuilder
    private func content(_ screen: PinPadScreen, _ layout: PinPadLayout) -> some View {
        if layout.isSideBySide {
            HStack(spacing: 32) {
                VStack(spacing: 24) {
                    head(screen, layout)
                    PinPadChoices(choices: screen.choices, press: pad.press)
                }
                .frame(maxWidth: .infinity)
                PinPadGrid(rows: screen.grid, layout: layout, press: pad.press)
            }
        } else {
            VStack(spacing: 28) {
                head(screen, layout)
                PinPadGrid(rows: screen.grid, layout: layout, press: pad.press)
                PinPadChoices(choices: screen.choices, press: pad.press)
            }
        }
    }

    private func head(_ screen: PinPadScreen, _ layout: PinPadLayout) -> some View {
        VStack(spacing: 16) {
            PinPadHeading(screen: screen)
            PinPadCircles(circles: screen.circles, busy: screen.busy, shakeCount: shakeCount, layout: layout)
        }
    }

    private func take(_ press: KeyPress) -> KeyPress.Result {
        guard press.modifiers.isDisjoint(with: [.command, .control, .option]),
            let key = PinPadKey(keyboard: press.key.character), pad.display.hasKey(key)
        else { return .ignored }
        pad.press(key)
        return .handled
    }

    private func react(from old: PinPadMoment, to new: PinPadMoment) {
        if new.feedback != old.feedback {
            felt = new.feedback
            if new.feedback?.kind == .wrong, !reducesMotion { shakeCount += 1 }
        }
        guard let announcement = PinPadAnnouncement(from: old, to: new, in: strings) else { return }
        var text = AttributedString(announcement.text)
        text.accessibilitySpeechAnnouncementPriority = announcement.isUrgent ? .high : .default
        AccessibilityNotification.Announcement(text).post()
    }
}
#endif
