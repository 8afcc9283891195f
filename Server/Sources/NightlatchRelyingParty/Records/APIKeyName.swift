public import NightlatchWire

/// The id of an API key: 32 random lowercase hexadecimal digits. It is no secret.
public typealias APIKeyID = Identifier<APIKeyIDRule>

public enum APIKeyIDRule: HexadecimalIdentifierRule {
    public static let name = "API key id"
}

/// The name of an API key or of an operator, for people: 1 to 64 characters, of the same kind as in a `DeviceName`.
///
/// The audit log has it in each entry of an action of this party, also after the party or its user was deleted.
public typealias PartyName = Identifier<PartyNameRule>

public enum PartyNameRule: ShownTextRule {
    public static let name = "name of an API key or operator"
    public static let characterCountLimit = 64
}

/// The name of an API key. It should name the system that uses the key and the time of its creation, such as
/// `shop 2027-01`.
public typealias APIKeyName = PartyName
public typealias APIKeyNameRule = PartyNameRule
