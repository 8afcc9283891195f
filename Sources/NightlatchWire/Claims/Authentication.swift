/// One login: when it was, and what it showed. Every access token that comes of it says the same, also after a refresh
/// ([RFC 9068, section 2.2.1](https://www.rfc-editor.org/rfc/rfc9068#section-2.2.1)).
public struct Authentication: Hashable, Sendable {
    /// When the login was accepted, by the relying party's clock.
    public let time: NumericDate
    /// What the client said of the person; nil if it said nothing.
    public let userVerification: UserVerification?

    public init(time: NumericDate, userVerification: UserVerification?) {
        self.time = time
        self.userVerification = userVerification
    }

    /// The values of `amr`: always the device key's signature, and what the client said beside it. PIN and biometrics are a second
    /// factor, since the key signs only with the vault open. A recovery phrase is none: it is something that one has, like the key.
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

    /// A signature by the device key. Whether the key is in hardware is not known
    /// ([OpenID EAP ACR Values 1.0, section 3](https://openid.net/specs/openid-connect-eap-acr-values-1_0.html)).
    public static let proofOfPossession = Self(rawValue: "pop")
    public static let pin = Self(rawValue: "pin")
    /// A person was there. Biometrics are told so: the registry has names for a face and a finger, and the system does not say
    /// which it was.
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

    /// Nobody can use what another server is shown: a login names its relying party and answers that one's challenge
    /// ([OpenID EAP ACR Values 1.0, section 2](https://openid.net/specs/openid-connect-eap-acr-values-1_0.html)).
    public static let phishingResistant = Self(rawValue: "phr")
}
