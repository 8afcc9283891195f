#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
public import SwiftUI

private struct PinPadStringsKey: EnvironmentKey {
    static let defaultValue = PinPadStrings.matching(Bundle.main.preferredLocalizations)
}

extension EnvironmentValues {
    /// The texts of pads. The default is the language that the app itself uses, if available, otherwise English.
    public var pinPadStrings: PinPadStrings {
        get { self[PinPadStringsKey.self] }
        set { self[PinPadStringsKey.self] = newValue }
    }
}

extension View {
    /// Sets the texts of the pads in this view.
    nonisolated public func pinPadStrings(_ strings: PinPadStrings) -> some View {
        environment(\.pinPadStrings, strings)
    }
}
#endif
