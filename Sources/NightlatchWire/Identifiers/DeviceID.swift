/// A device that is bound to a user. The relying party makes it when it accepts a binding.
public typealias DeviceID = Identifier<DeviceIDRule>

public enum DeviceIDRule: BinaryIdentifierRule {
    public static let name = "device id"
    public static let byteCount = 16
}
