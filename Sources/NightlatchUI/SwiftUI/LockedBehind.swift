#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
public import SwiftUI

extension View {
    /// Shows the view while `lock` is open, and the pad while it is not.
    ///
    /// ```swift
    /// BalanceView(vault: lock.vault).lockedBehind(lock)
    /// ```
    ///
    /// A locked view is taken away with its state and with the sheets that it shows, so that nothing of it is left to be seen. When the app is
    /// left it is covered at once, and stays as it is while it is covered.
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
                // The scene may know of the change before the lock does.
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

/// The pad, and a key that asks for the PIN when nobody is asked.
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
    /// A phase that this library does not know is none in which the app is in front.
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
