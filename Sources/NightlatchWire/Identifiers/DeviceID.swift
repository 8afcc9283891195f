/// The name of a bound device: 32 random hexadecimal digits in small letters.
///
/// The relying party makes it when it accepts the binding.
public typealias DeviceID = Identifier<DeviceIDRule>

public enum DeviceIDRule: HexadecimalIdentifierRule {
    public static let name = "device id"
}
