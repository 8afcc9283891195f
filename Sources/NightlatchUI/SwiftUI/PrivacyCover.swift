#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
public import SwiftUI

/// A cover that hides the screen's content in the app switcher.
public struct PrivacyCover: View {
    @Environment(\.pinPadTheme) private var theme

    public init() {}

    public var body: some View {
        ZStack {
            theme.cover
            Image(systemName: "lock.fill").font(.largeTitle).foregroundStyle(.white.opacity(0.7))
        }
        .ignoresSafeArea()
        .accessibilityHidden(true)
    }
}

extension View {
    /// Covers the view while the app is not in front. A sheet is above the covers of other views, so it needs its own
    /// cover.
    public func privacyCover() -> some View {
        modifier(CoveredWhenAway())
    }
}

private struct CoveredWhenAway: ViewModifier {
    @Environment(\.scenePhase) private var scenePhase

    func body(content: Content) -> some View {
        content.overlay { if scenePhase != .active { PrivacyCover() } }
    }
}
#endif
