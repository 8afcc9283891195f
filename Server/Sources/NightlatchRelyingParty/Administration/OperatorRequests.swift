package import NightlatchWire

/// A request of an operator's program. ``ExactRequest`` refuses one with members that it does not know, so that a misspelt
/// reason or end is not ignored.
package protocol OperatorRequest: Decodable, Sendable {
    associatedtype CodingKeys: CodingKey, CaseIterable
}

/// A request with no other members than those of its type.
package struct ExactRequest<Request: OperatorRequest>: Decodable, Sendable {
    package let request: Request

    package init(from decoder: any Decoder) throws {
        let known = Set(Request.CodingKeys.allCases.map(\.stringValue))
        let names = try decoder.container(keyedBy: MemberName.self).allKeys.map(\.stringValue)
        if let other = names.first(where: { !known.contains($0) }) {
            throw try JSONObjectReader(decoder).broken(other, "is not a member of this request")
        }
        request = try Request(from: decoder)
    }

    /// A name of any text.
    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}

/// A request of an operator's program about a user, with a reason if the operator gives one.
package struct UserRequest: OperatorRequest {
    package let user: UserID
    package let reason: AuditReason?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case user, reason
    }
}

/// A request of an operator's program that needs a reason: it is about a user, and cannot be undone or stops the user.
package struct JustifiedUserRequest: OperatorRequest {
    package let user: UserID
    package let reason: AuditReason

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case user, reason
    }
}

/// A request of an operator's program to rename a device of a user.
package struct UserDeviceNameRequest: OperatorRequest {
    package let user: UserID
    package let name: DeviceName

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case user, name
    }
}

/// A request of an operator's program to rename a key that was bound through a journey.
package struct JourneyKeyNameRequest: OperatorRequest {
    package let user: UserID
    package let key: JourneyKeyID
    package let name: DeviceName

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case user, key, name
    }
}

/// A request of an operator's program to remove a key that was bound through a journey.
package struct JourneyKeyRemovalRequest: OperatorRequest {
    package let user: UserID
    package let key: JourneyKeyID
    package let reason: AuditReason

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case user, key, reason
    }
}

/// The reason of an operator for an action on what the path names.
package struct JustifiedRequest: OperatorRequest {
    package let reason: AuditReason

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case reason
    }
}

/// A request of an operator's program to replace one revision of the policy of an app.
package struct AppPolicyReplacement: OperatorRequest {
    package let app: ClientID
    package let policy: Policy
    /// The revision that is replaced; 0 for none.
    package let revision: PolicyRevision

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case app, policy, revision
    }
}

/// A request of an operator's program to replace one revision of the policy of a user.
package struct UserPolicyReplacement: OperatorRequest {
    package let user: UserID
    package let policy: Policy
    /// The revision that is replaced; 0 for none.
    package let revision: PolicyRevision

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case user, policy, revision
    }
}

/// A request to create an API key.
package struct APIKeyRequest: OperatorRequest {
    package let name: APIKeyName
    package let scopes: Set<APIScope>
    package let expiresAt: NumericDate?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case name, scopes
        case expiresAt = "expires_at"
    }

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
