import NightlatchWire

/// A request to set a user's profile: the members of ``UserProfile``, and `user`.
package struct ProfileRequest: Decodable, Sendable {
    let user: UserID
    let profile: UserProfile

    package init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        user = try members.value("user")
        profile = try UserProfile(members)
    }
}

/// The user whose profile is to be removed, and the answer when it is.
package struct ProfileOwner: Codable, Sendable {
    let user: UserID
}
