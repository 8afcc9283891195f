/// The time and the methods of one login.
///
/// All access tokens of a login state the same time and methods, also after a refresh ([RFC 9068, section
/// 2.2.1](https://www.rfc-editor.org/rfc/rfc9068#section-2.2.1)).
public struct Authentication: Hashable, Sendable {
    /// The time when the relying party accepted the login, by its clock.
    public let time: NumericDate
    /// The method by which the user opened the vault, as stated by the client. Nil if the client states none.
    public let userVerification: UserVerification?

    public init(time: NumericDate, userVerification: UserVerification?) {
        self.time = time
        self.userVerification = userVerification
    }

    /// The values of `amr`: the device key's signature, and the client's statement about the user.
    ///
    /// A PIN or biometrics are a second factor, because the key signs only while the vault is open. A recovery phrase
    /// is not: it is something that the user has, like the key.
    public var methods: [AuthenticationMethod] {
        switch userVerification {
        case nil: [.proofOfPossession]
        case .pin, .twoPartyPin: [.proofOfPossession, .pin, .multipleFactors]
        case .biometrics: [.proofOfPossession, .userPresence, .multipleFactors]
        case .recoveryPhrase: [.proofOfPossession, .userPresence]
        }
    }
}

/// One value of `amr` ([RFC 8176, section 2](https://www.rfc-editor.org/rfc/rfc8176#section-2)). The set may grow.
public struct AuthenticationMethod: RawRepresentable, Codable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A signature by the device key. It does not show whether the key is in hardware ([OpenID EAP ACR Values 1.0,
    /// section 3](https://openid.net/specs/openid-connect-eap-acr-values-1_0.html)).
    public static let proofOfPossession = Self(rawValue: "pop")
    public static let pin = Self(rawValue: "pin")
    /// The user was present. Biometrics have this value, because the registry has separate names for a face and a
    /// finger, and the system does not report which one it used.
    public static let userPresence = Self(rawValue: "user")
    /// Two different factors.
    public static let multipleFactors = Self(rawValue: "mfa")
}

/// A value of `acr`. The set may grow.
public struct AuthenticationContextClass: RawRepresentable, Codable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A login that a phishing server cannot use. Its message names the relying party and answers that relying party's
    /// challenge
    /// ([OpenID EAP ACR Values 1.0, section 2](https://openid.net/specs/openid-connect-eap-acr-values-1_0.html)).
    public static let phishingResistant = Self(rawValue: "phr")
}
