#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// The look of a pad.
///
/// The default values follow light and dark mode and the user's text size. An app's own values should do the same.
///
/// The default has the app's accent colour, keys with rounded corners and no letters. People must not mistake it for
/// the system's lock screen, and App Review has refused pads that look like it.
public struct PinPadTheme: Hashable, Sendable {
    /// The colour of filled circles, keys with symbols, and the main key.
    public var accent = Color.accentColor
    public var keyBackground = Color.primary.opacity(0.07)
    public var text = Color.primary
    public var secondaryText = Color.secondary
    /// The colour of error messages.
    public var error = Color.red
    /// The colour that covers the screen when the app is not in front.
    public var cover = Color.gray
    public var titleFont = Font.title2.weight(.semibold)
    public var textFont = Font.body
    public var digitFont = Font.system(.title, design: .rounded).weight(.medium)
    public var keyCornerRadius = 16.0
    public var circleDiameter = 14.0
    /// The system symbol of the key for biometrics. Use `faceid` or `touchid` if the device has only that one.
    public var biometricsSymbol = "person.badge.key"

    public init() {}

    /// The default look of a pad.
    public static let standard = PinPadTheme()
}

private struct PinPadThemeKey: EnvironmentKey {
    static let defaultValue = PinPadTheme.standard
}

extension EnvironmentValues {
    /// The look of pads.
    public var pinPadTheme: PinPadTheme {
        get { self[PinPadThemeKey.self] }
        set { self[PinPadThemeKey.self] = newValue }
    }
}

extension View {
    /// Sets the look of the pads in this view.
    nonisolated public func pinPadTheme(_ theme: PinPadTheme) -> some View {
        environment(\.pinPadTheme, theme)
    }
}
#endif
