/// What a person calls a device: 1 to 64 characters, none of them a control character.
public typealias DeviceName = Identifier<DeviceNameRule>

public enum DeviceNameRule: IdentifierRule {
    public static let name = "device name"

    public static func accepts(_ text: String) -> Bool {
        text.utf8.count <= 256 && (1...64).contains(text.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                // Format characters can turn the direction of text and hide what a list really says.
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
                default: true
                }
            }
    }
}
