/// The id of a bound device: 32 random lowercase hexadecimal digits.
///
/// The relying party makes it when it accepts the binding.
public typealias DeviceID = Identifier<DeviceIDRule>

public enum DeviceIDRule: HexadecimalIdentifierRule {
    public static let name = "device id"
}
