import NightlatchWire

extension UserProfile {
    /// The profile of a user who registers; nil if no attribute is part of a profile.
    ///
    /// The attributes are those of PingAM's default trees: `givenName`, `sn`, `mail` and `telephoneNumber`. The full
    /// name consists of the first two. A text that its member does not accept is left out; the email address is not
    /// verified.
    init?(registering attributes: [String: String]) {
        self.init()
        givenName = attributes["givenName"].flatMap(PersonName.init)
        familyName = attributes["sn"].flatMap(PersonName.init)
        let names = [givenName, familyName].compactMap(\.self)
        name = names.isEmpty ? nil : PersonName(rawValue: names.map(\.rawValue).joined(separator: " "))
        email = attributes["mail"].flatMap(EmailAddress.init).map { Email($0, isVerified: false) }
        phoneNumber = attributes["telephoneNumber"].flatMap(PhoneNumber.init)
        if facts.isEmpty { return nil }
    }
}
