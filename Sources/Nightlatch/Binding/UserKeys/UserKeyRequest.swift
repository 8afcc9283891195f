package import NightlatchWire

/// A request for a new key: its owner and its protection.
package struct UserKeyRequest: Sendable {
    let owner: UserKeyOwner
    let userName: String
    let name: String
    let label: String?
    let protection: UserKeyProtection
    let createdAt: NumericDate

    package init(
        owner: UserKeyOwner,
        userName: String,
        name: String,
        label: String?,
        protection: UserKeyProtection,
        createdAt: NumericDate
    ) {
        self.owner = owner
        self.userName = userName
        self.name = name
        self.label = label
        self.protection = protection
        self.createdAt = createdAt
    }
}
