#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
public import SwiftUI

private struct PinPadStringsKey: EnvironmentKey {
    static let defaultValue = PinPadStrings.matching(Bundle.main.preferredLocalizations)
}

extension EnvironmentValues {
    /// What pads say: in the language that the app itself is shown in, if that is there.
    public var pinPadStrings: PinPadStrings {
        get { self[PinPadStringsKey.self] }
        set { self[PinPadStringsKey.self] = newValue }
    }
}

extension View {
    /// Has pads inside speak so.
    nonisolated public func pinPadStrings(_ strings: PinPadStrings) -> some View {
        environment(\.pinPadStrings, strings)
    }
}
#endif
