/// The id of a remote login: 32 random lowercase hexadecimal digits.
public typealias RemoteLoginID = Identifier<RemoteLoginIDRule>

public enum RemoteLoginIDRule: HexadecimalIdentifierRule {
    public static let name = "remote login id"
}

/// The place from which a remote login was requested: the network address of the browser, as the relying party saw it.
public typealias RemoteLoginPlace = Identifier<RemoteLoginPlaceRule>

public enum RemoteLoginPlaceRule: ShownTextRule {
    public static let name = "place"
    public static let characterCountLimit = 64
}

/// A text that a backend shows to the user too, so that the user can see that both screens belong together:
/// `binding_message` of [CIBA, section
/// 7.1](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html).
public typealias RemoteLoginMessage = Identifier<RemoteLoginMessageRule>

public enum RemoteLoginMessageRule: ShownTextRule {
    public static let name = "binding message"
    public static let characterCountLimit = 140
}

/// The two digits that the login page shows and the user enters on the device: `00` to `99`.
///
/// The server does not send the number to the device. So a user who confirms a login that an attacker has requested
/// must guess it.
public typealias RemoteLoginNumber = Identifier<RemoteLoginNumberRule>

public enum RemoteLoginNumberRule: IdentifierRule {
    public static let name = "number"
    public static let requirement = "two digits"

    public static func accepts(_ text: String) -> Bool { text.utf8.count == 2 && text.hasOnly { $0.match("0"..."9") } }
}

extension Identifier where Rule == RemoteLoginNumberRule {
    /// A number from the system's cryptographically secure generator.
    public static func random() -> Self {
        let number = Int.random(in: 0...99)
        return Self(unchecked: (number < 10 ? "0" : "") + String(number))
    }
}
