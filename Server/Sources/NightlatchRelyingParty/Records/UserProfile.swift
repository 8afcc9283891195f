public import NightlatchWire

/// The name and the addresses of a user, as apps get them.
///
/// In JSON its members have the names of OpenID Connect's claims ([OpenID Connect Core, section
/// 5.1](https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims)). Decoding is strict: an invalid value is
/// an error, and so is a verified email address without an address.
public struct UserProfile: Hashable, Sendable {
    /// The full name, in the form in which the user is addressed.
    public var name: PersonName?
    public var givenName: PersonName?
    public var familyName: PersonName?
    public var email: Email?
    public var phoneNumber: PhoneNumber?

    public init() {}

    /// An email address, and whether someone has verified that the user receives messages there.
    public struct Email: Hashable, Sendable {
        public let address: EmailAddress
        public let isVerified: Bool

        public init(_ address: EmailAddress, isVerified: Bool) {
            self.address = address
            self.isVerified = isVerified
        }
    }

    /// The name of a member in JSON. Cases are in the order of their names.
    public enum Member: String, Codable, Hashable, Sendable, CaseIterable {
        case email
        case isEmailVerified = "email_verified"
        case familyName = "family_name"
        case givenName = "given_name"
        case name
        case phoneNumber = "phone_number"
    }

    /// The members that have a value, in the order of their names, with their values as texts.
    public var facts: [(member: Member, value: String)] {
        Member.allCases.compactMap { member in self[member].map { (member, $0) } }
    }

    /// The members whose values differ from those of `old`, in the order of their names.
    package func members(changedFrom old: UserProfile) -> [Member] {
        Member.allCases.filter { member in
            // Compares bytes: for Swift, texts of different code points can be equal.
            self[member].map { Array($0.utf8) } != old[member].map { Array($0.utf8) }
        }
    }

    private subscript(member: Member) -> String? {
        switch member {
        case .email: email?.address.rawValue
        case .isEmailVerified: email.map { String($0.isVerified) }
        case .familyName: familyName?.rawValue
        case .givenName: givenName?.rawValue
        case .name: name?.rawValue
        case .phoneNumber: phoneNumber?.rawValue
        }
    }
}

extension UserProfile: Codable {
    public init(from decoder: any Decoder) throws { try self.init(JSONObjectReader(decoder)) }

    package init(_ members: JSONObjectReader) throws {
        name = try members.optionalValue(Member.name.rawValue)
        givenName = try members.optionalValue(Member.givenName.rawValue)
        familyName = try members.optionalValue(Member.familyName.rawValue)
        phoneNumber = try members.optionalValue(Member.phoneNumber.rawValue)
        let isVerified: Bool = try members.optionalValue(Member.isEmailVerified.rawValue) ?? false
        let address: EmailAddress? = try members.optionalValue(Member.email.rawValue)
        email = address.map { Email($0, isVerified: isVerified) }
        if isVerified && address == nil {
            throw members.broken(Member.isEmailVerified.rawValue, "must not be true without an email address")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try add(Member.allCases, to: &members)
    }

    /// Adds those of `selected` that have a value.
    package func add(_ selected: [Member], to members: inout JSONObjectWriter) throws {
        for member in selected {
            if member == .isEmailVerified {
                if let email { try members.add(member.rawValue, email.isVerified) }
            } else if let text = self[member] {
                try members.add(member.rawValue, text)
            }
        }
    }
}
