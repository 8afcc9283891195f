/// A device that is bound to a user, made by the relying party when it accepts a binding: 32 hexadecimal digits in small letters.
public typealias DeviceID = Identifier<DeviceIDRule>

public enum DeviceIDRule: HexadecimalIdentifierRule {
    public static let name = "device id"
}
