public import NightlatchWire

/// The id of an API key: 32 random lowercase hexadecimal digits. It is no secret.
public typealias APIKeyID = Identifier<APIKeyIDRule>

public enum APIKeyIDRule: HexadecimalIdentifierRule {
    public static let name = "API key id"
}

/// The name of an API key, for people: 1 to 64 characters, of the same kind as in a `DeviceName`.
///
/// The audit log has it in each entry of an action that the key authorised. So it should name the system that uses the
/// key and the time of its creation, such as `shop 2027-01`.
public typealias APIKeyName = Identifier<APIKeyNameRule>

public enum APIKeyNameRule: ShownTextRule {
    public static let name = "API key name"
    public static let characterCountLimit = 64
}
