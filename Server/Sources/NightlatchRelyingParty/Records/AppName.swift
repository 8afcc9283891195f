public import NightlatchWire

/// The name of an app that users see: as long as the name of a device, and of the same characters.
public typealias AppName = Identifier<AppNameRule>

public enum AppNameRule: ShownTextRule {
    public static let name = "app name"
    public static let characterCountLimit = DeviceNameRule.characterCountLimit
}
