package import NightlatchWire

/// A request of an operator's program about a user, with a reason if the operator gives one.
package struct UserRequest: Decodable, Sendable {
    package let user: UserID
    package let reason: AuditReason?
}

/// A request of an operator's program that needs a reason: it is about a user, and cannot be undone or stops the user.
package struct JustifiedUserRequest: Decodable, Sendable {
    package let user: UserID
    package let reason: AuditReason
}

/// A request of an operator's program to rename a device of a user.
package struct UserDeviceNameRequest: Decodable, Sendable {
    package let user: UserID
    package let name: DeviceName
}

/// A request of an operator's program to rename a key that was bound through a journey.
package struct JourneyKeyNameRequest: Decodable, Sendable {
    package let user: UserID
    package let key: JourneyKeyID
    package let name: DeviceName
}

/// A request of an operator's program to remove a key that was bound through a journey.
package struct JourneyKeyRemovalRequest: Decodable, Sendable {
    package let user: UserID
    package let key: JourneyKeyID
    package let reason: AuditReason
}

/// The reason of an operator for an action on what the path names.
package struct JustifiedRequest: Decodable, Sendable {
    package let reason: AuditReason
}

/// A request of an operator's program to replace one revision of the policy of an app.
package struct AppPolicyReplacement: Decodable, Sendable {
    package let app: ClientID
    package let policy: Policy
    /// The revision that is replaced; 0 for none.
    package let revision: PolicyRevision
}

/// A request of an operator's program to replace one revision of the policy of a user.
package struct UserPolicyReplacement: Decodable, Sendable {
    package let user: UserID
    package let policy: Policy
    /// The revision that is replaced; 0 for none.
    package let revision: PolicyRevision
}

/// A request to create an API key.
package struct APIKeyRequest: Decodable, Sendable {
    package let name: APIKeyName
    package let scopes: Set<APIScope>
    package let expiresAt: NumericDate?

    package init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        name = try members.value("name")
        let scopes: [APIScope] = try members.value("scopes")
        self.scopes = Set(scopes)
        guard !scopes.isEmpty, self.scopes.count == scopes.count else {
            throw members.broken("scopes", "must name at least one scope, and none twice")
        }
        expiresAt = try members.optionalValue("expires_at")
    }
}
