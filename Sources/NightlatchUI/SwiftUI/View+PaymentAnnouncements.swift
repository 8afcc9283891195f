#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Accessibility
public import Nightlatch
public import SwiftUI

extension View {
    /// Makes a screen reader announce each payment that appears in `payments`, in the language of the pad's texts.
    ///
    /// ```swift
    /// PaymentList(account.payments).announcesPayments(account.payments)
    /// ```
    ///
    /// Put it on the view behind the lock, so that nothing is announced while the screen is locked.
    public func announcesPayments(_ payments: [PendingTransaction]) -> some View {
        modifier(PaymentAnnouncing(payments: payments))
    }
}

private struct PaymentAnnouncing: ViewModifier {
    let payments: [PendingTransaction]
    /// The payments that were announced, or were there when they were. A view that appears again does not repeat them.
    @State private var announced: [PendingTransaction] = []
    @Environment(\.pinPadStrings) private var strings

    func body(content: Content) -> some View {
        content
            .onAppear(perform: announce)
            .onChange(of: payments) { _, _ in announce() }
    }

    private func announce() {
        defer { announced = payments }
        guard let announcement = PaymentAnnouncement(from: announced, to: payments, in: strings) else { return }
        AccessibilityNotification.Announcement(announcement.text).post()
    }
}
#endif
