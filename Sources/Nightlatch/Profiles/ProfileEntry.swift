import NightlatchWire

/// What the registry knows of one profile. Nothing of it is secret.
struct ProfileEntry: Codable, Hashable, Sendable {
    static let greatestKeyCount = 16

    /// How far a profile has come. The first and the last are intentions, written before anything else is done, so that what a
    /// crash cuts off is known at the next start.
    enum Stage: String, Codable, Hashable, Sendable {
        /// Its vault is being made. If that is cut off it is undone.
        case registering
        case registered
        /// It is to go, with all that belongs to it. If that is cut off it is finished.
        case deregistering
    }

    let id: ProfileID
    var name: ProfileName
    var stage: Stage
    var pinLengths: PinLengths
    /// Written only once a registration or a change of PIN has succeeded.
    var pinLength: Int?
    /// A change to a PIN of another length has begun, and until its end is known no length is.
    var isPinChanging: Bool
    var preferredAuthenticator: Authenticator
    /// The tags of the device keys that were made for the profile, each written down before its key is made. The vault knows them
    /// too, but not while it is locked.
    var deviceKeys: [KeyTag]

    /// The lengths that the profile's policy lets be set.
    struct PinLengths: Codable, Hashable, Sendable {
        let least: Int
        let most: Int
    }

    init(registering profile: Profile) {
        id = profile.id
        name = profile.name
        stage = .registering
        pinLengths = PinLengths(profile.pinPolicy)
        pinLength = nil
        isPinChanging = false
        preferredAuthenticator = profile.preferredAuthenticator
        deviceKeys = []
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, stage
        case pinLengths = "pin_lengths"
        case pinLength = "pin_length"
        case isPinChanging = "pin_changing"
        case preferredAuthenticator = "preferred_authenticator"
        case deviceKeys = "device_keys"
    }
}

extension ProfileEntry.PinLengths {
    init(_ policy: PinPolicy) {
        self.init(least: policy.lengths.lowerBound, most: policy.lengths.upperBound)
    }

    /// Nil for lengths that no policy has.
    var policy: PinPolicy? { least <= most ? PinPolicy(lengths: least...most) : nil }
}

extension ProfileEntry {
    /// Whether the library writes such entries.
    var isPossible: Bool {
        pinLengths.policy != nil && pinLength.map(Pin.lengths.contains) ?? true
            && (stage == .registered || pinLength == nil) && !(isPinChanging && pinLength != nil)
            && deviceKeys.count <= Self.greatestKeyCount && Set(deviceKeys).count == deviceKeys.count
    }

    func profile(withPinLength isPinLengthWanted: Bool) -> Profile {
        Profile(
            id: id, name: name,
            // The lengths were checked when the entry was read.
            pinPolicy: pinLengths.policy ?? .default,
            pinLength: isPinLengthWanted ? pinLength : nil, preferredAuthenticator: preferredAuthenticator)
    }

    /// Makes the entry one of a profile that is to go. What is known of its PIN goes at once.
    mutating func retire() {
        stage = .deregistering
        pinLength = nil
        isPinChanging = false
    }
}
