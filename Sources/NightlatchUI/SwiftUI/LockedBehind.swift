#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
public import SwiftUI

extension View {
    /// Shows the view while `lock` is open, and the pad while it is locked.
    ///
    /// ```swift
    /// BalanceView(vault: lock.vault).lockedBehind(lock)
    /// ```
    ///
    /// Locking removes the view with its state and its sheets, so that nothing of it remains visible. When the user
    /// leaves the app, the view is covered at once and keeps its state.
    public func lockedBehind(_ lock: ScreenLock) -> some View {
        modifier(LockedBehind(lock: lock))
    }
}

private struct LockedBehind: ViewModifier {
    let lock: ScreenLock
    @Environment(\.scenePhase) private var scenePhase

    func body(content: Content) -> some View {
        ZStack {
            if lock.isOpen {
                // The scene phase may change before the lock receives it.
                let isCovered = lock.isCovered || scenePhase != .active
                content.accessibilityHidden(isCovered).allowsHitTesting(!isCovered)
                if isCovered { PrivacyCover() }
            } else {
                LockedScreen(lock: lock)
            }
        }
        .onChange(of: scenePhase, initial: true) { _, phase in lock.appIs(AppPhase(phase)) }
    }
}

/// The pad, and a button that asks for the PIN if no question is pending.
private struct LockedScreen: View {
    let lock: ScreenLock
    @Environment(\.pinPadStrings) private var strings

    var body: some View {
        VStack(spacing: 0) {
            PinPadView(lock.pad)
            if lock.canAsk {
                Button {
                    lock.unlock()
                } label: {
                    Text(verbatim: strings[.unlock]).frame(maxWidth: 320)
                }
                .buttonStyle(.borderedProminent)
                .controlSize(.large)
                .padding()
            }
        }
    }
}

extension AppPhase {
    /// Converts a scene phase. A phase unknown to this library counts as inactive.
    init(_ phase: ScenePhase) {
        switch phase {
        case .active: self = .active
        case .background: self = .background
        case .inactive: self = .inactive
        @unknown default: self = .inactive
        }
    }
}
#endif
