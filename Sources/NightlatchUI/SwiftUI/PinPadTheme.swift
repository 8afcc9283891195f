#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// How a pad looks. Its values follow light and dark, and the person's size of text, by themselves; so should an app's own.
///
/// The default is the app's accent on keys of rounded corners, without letters: nobody should take it for the system's lock screen, and
/// App Review has refused pads that look like that one.
public struct PinPadTheme: Hashable, Sendable {
    /// Of filled circles, of keys with pictures, and of the key that leads on.
    public var accent = Color.accentColor
    public var keyBackground = Color.primary.opacity(0.07)
    public var text = Color.primary
    public var secondaryText = Color.secondary
    /// Of what was wrong.
    public var error = Color.red
    /// What covers the screen when the app is not in front.
    public var cover = Color.gray
    public var titleFont = Font.title2.weight(.semibold)
    public var textFont = Font.body
    public var digitFont = Font.system(.title, design: .rounded).weight(.medium)
    public var keyCornerRadius = 16.0
    public var circleDiameter = 14.0
    /// The system's picture for the key that asks for biometrics. Take `faceid` or `touchid` where the device has that and no other.
    public var biometricsSymbol = "person.badge.key"

    public init() {}

    /// The look that a pad has unless the app says otherwise.
    public static let standard = PinPadTheme()
}

private struct PinPadThemeKey: EnvironmentKey {
    static let defaultValue = PinPadTheme.standard
}

extension EnvironmentValues {
    /// How pads look.
    public var pinPadTheme: PinPadTheme {
        get { self[PinPadThemeKey.self] }
        set { self[PinPadThemeKey.self] = newValue }
    }
}

extension View {
    /// Has pads inside look like this.
    nonisolated public func pinPadTheme(_ theme: PinPadTheme) -> some View {
        environment(\.pinPadTheme, theme)
    }
}
#endif
