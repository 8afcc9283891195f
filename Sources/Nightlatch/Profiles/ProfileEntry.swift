import NightlatchWire

/// The registry's entry for one profile. It contains nothing secret.
struct ProfileEntry: Codable, Hashable, Sendable {
    static let greatestKeyCount = 16

    /// The stage of a profile.
    ///
    /// `registering` and `deregistering` are intentions. They are written before anything else is done, so after a
    /// crash the next start knows what was interrupted.
    enum Stage: String, Codable, Hashable, Sendable {
        /// The vault is being created. An interrupted registration is undone.
        case registering
        case registered
        /// The profile and everything that belongs to it is being removed. An interrupted deregistration is finished.
        case deregistering
    }

    let id: ProfileID
    var name: ProfileName
    var stage: Stage
    /// The app's rules for new PINs.
    var pinLengths: PinLengths
    /// The demands of the relying party's policy that are needed while the vault is locked; nil if there are none.
    private(set) var policy: Policy?
    /// The origin and revision of `policy`, which may demand nothing; nil if none was applied.
    private(set) var policySource: PolicySource?
    /// The length of the PIN. It is written only after a registration or a change of the PIN has succeeded.
    var pinLength: Int?
    /// A change to a PIN of another length has begun. Until it has ended, no length is stored.
    var isPinChanging: Bool
    var preferredAuthenticator: Authenticator
    /// The tags of the profile's device keys, each written before its key is created. The vault also has them, but not
    /// while it is locked.
    var deviceKeys: [KeyTag]

    /// The rules for new PINs.
    struct PinLengths: Codable, Hashable, Sendable {
        let least: Int
        let most: Int
        /// Nil for 1.
        let distinctDigits: Int?

        private enum CodingKeys: String, CodingKey {
            case least, most
            case distinctDigits = "distinct_digits"
        }
    }

    /// The policy whose demands an entry has.
    struct PolicySource: Codable, Hashable, Sendable {
        let origin: PolicyOrigin
        let revision: PolicyRevision
    }

    init(registering profile: Profile) {
        id = profile.id
        name = profile.name
        stage = .registering
        pinLengths = PinLengths(profile.ownPinPolicy)
        policy = nil
        policySource = nil
        pinLength = nil
        isPinChanging = false
        preferredAuthenticator = profile.preferredAuthenticator
        deviceKeys = []
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, stage, policy
        case policySource = "policy_source"
        case pinLengths = "pin_lengths"
        case pinLength = "pin_length"
        case isPinChanging = "pin_changing"
        case preferredAuthenticator = "preferred_authenticator"
        case deviceKeys = "device_keys"
    }
}

extension ProfileEntry.PinLengths {
    init(_ policy: PinPolicy) {
        self.init(
            least: policy.lengths.lowerBound, most: policy.lengths.upperBound,
            distinctDigits: policy.distinctDigits == 1 ? nil : policy.distinctDigits)
    }

    /// The policy, or nil for lengths that no policy has.
    var policy: PinPolicy? {
        guard least <= most, distinctDigits != 1 else { return nil }
        do {
            return try PinPolicy(lengths: least...most, distinctDigits: distinctDigits ?? 1)
        } catch {
            return nil
        }
    }
}

extension ProfileEntry {
    /// Whether the library could have written this entry.
    var isPossible: Bool {
        pinLengths.policy != nil && pinLength.map(Pin.lengths.contains) ?? true
            && policy?.isEmpty != true && (policy == nil || policySource != nil)
            && (stage == .registered || pinLength == nil)
            && !(isPinChanging && pinLength != nil)
            && deviceKeys.count <= Self.greatestKeyCount && Set(deviceKeys).count == deviceKeys.count
    }

    func profile(withPinLength isPinLengthWanted: Bool) -> Profile {
        Profile(
            id: id, name: name,
            // The lengths were checked when the entry was read.
            pinPolicy: pinLengths.policy ?? .default,
            pinLength: isPinLengthWanted ? pinLength : nil, preferredAuthenticator: preferredAuthenticator,
            policy: policy ?? Policy())
    }

    /// Whether the entry has members that only the second format has.
    var isOfSecondFormat: Bool { policySource != nil || pinLengths.distinctDigits != nil }

    /// Takes over the demands of a policy, unless the entry has those of a newer one of the same origin. Another
    /// opening of the vault may have applied that.
    ///
    /// - Returns: Whether it has the demands of `kept` now.
    mutating func follow(_ kept: KeptPolicy) -> Bool {
        if let policySource, policySource.origin == kept.origin, policySource.revision > kept.revision { return false }
        replacePolicy(with: kept)
        return true
    }

    mutating func replacePolicy(with kept: KeptPolicy) {
        policy = kept.policy.whileLocked
        policySource = PolicySource(origin: kept.origin, revision: kept.revision)
    }

    /// Removes the demands of the relying party.
    mutating func forgetPolicy() {
        policy = nil
        policySource = nil
    }

    /// Marks the profile as being deregistered, and removes what is known about its PIN.
    mutating func retire() {
        stage = .deregistering
        pinLength = nil
        isPinChanging = false
    }
}
