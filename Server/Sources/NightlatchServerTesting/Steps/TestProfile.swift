package import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Profiles for tests.
package enum TestProfile {
    /// A profile in which each member has a value.
    package static func full(email: String = "alice@example.com", isVerified: Bool = true) throws -> UserProfile {
        var profile = UserProfile()
        profile.name = PersonName(rawValue: "Alice Ó Example")
        profile.givenName = PersonName(rawValue: "Alice")
        profile.familyName = PersonName(rawValue: "Ó Example")
        profile.email = .init(try #require(EmailAddress(rawValue: email)), isVerified: isVerified)
        profile.phoneNumber = PhoneNumber(rawValue: "+43 1 234-56")
        #expect(profile.facts.count == UserProfile.Member.allCases.count)
        return profile
    }
}
