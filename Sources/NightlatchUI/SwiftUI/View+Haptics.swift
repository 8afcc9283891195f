#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS) && !os(visionOS)
import SwiftUI

extension View {
    /// Lets the person feel what the pad says, where the device can do so.
    func haptics(_ felt: PinPadModel.Feedback?) -> some View {
        sensoryFeedback(trigger: felt) { _, felt in felt.map { systemFeedback(for: $0.kind) } }
    }
}

private func systemFeedback(for kind: PinPadFeedback) -> SensoryFeedback {
    switch kind {
    case .key: .impact(weight: .light)
    case .wrong: .error
    case .success: .success
    }
}
#elseif canImport(SwiftUI) && os(visionOS)
import SwiftUI

extension View {
    /// Nothing: such a device has no haptics, and its first systems have no modifier for them.
    func haptics(_ felt: PinPadModel.Feedback?) -> some View { self }
}
#endif
