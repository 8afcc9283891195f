#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS) && !os(visionOS)
import SwiftUI

extension View {
    /// Plays the pad's feedback, if the device has haptics.
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
    /// Does nothing. These devices have no haptics, and the first versions of their system lack the modifier.
    func haptics(_ felt: PinPadModel.Feedback?) -> some View { self }
}
#endif
