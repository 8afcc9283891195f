#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
public import SwiftUI

/// Hides what is behind it from people who look at the app switcher.
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
    /// Covers the view while the app is not in front. A sheet lies above all covers below it, so it needs one of its own.
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
