extension Route {
    /// An operator's program lists users, or searches by the beginning of an id.
    public static let administeredUsers = Route(.get, "/v1/admin/users")
    /// An operator's program gets a user with profile and devices.
    public static let administeredUser = Route(.get, "/v1/admin/user")
    /// An operator's program gets everything that the server keeps about a user.
    public static let exportUser = Route(.post, "/v1/admin/users/export")
    /// An operator's program deletes a user.
    public static let deleteUser = Route(.post, "/v1/admin/users/delete")
    /// An operator's program lists the devices of a user.
    public static let administeredDevices = Route(.get, "/v1/admin/devices")
    /// An operator's program renames a device of a user.
    public static let administerDeviceName = Route(.post, "/v1/admin/devices/{device}/rename")
    /// An operator's program blocks a device of a user.
    public static let administerDeviceBlock = Route(.post, "/v1/admin/devices/{device}/block")
    /// An operator's program unblocks a device of a user.
    public static let administerDeviceUnblock = Route(.post, "/v1/admin/devices/{device}/unblock")
    /// An operator's program revokes a device of a user.
    public static let administerDeviceRevocation = Route(.post, "/v1/admin/devices/{device}/revoke")
    /// An operator's program lists the keys that a user has bound through journeys.
    public static let administeredJourneyKeys = Route(.get, "/v1/admin/journey-keys")
    /// An operator's program renames a journey key.
    public static let administerJourneyKeyName = Route(.post, "/v1/admin/journey-keys/rename")
    /// An operator's program removes a journey key.
    public static let removeJourneyKey = Route(.post, "/v1/admin/journey-keys/remove")
    /// An operator's program lists the journey sessions of a user.
    public static let administeredJourneySessions = Route(.get, "/v1/admin/journey-sessions")
    /// An operator's program ends the journey sessions of a user.
    public static let endJourneySessions = Route(.post, "/v1/admin/journey-sessions/end")
    /// An operator's program lists the transactions of all users.
    public static let administeredTransactions = Route(.get, "/v1/admin/transactions")
    /// An operator's program voids a transaction.
    public static let administerTransactionVoiding = Route(.post, "/v1/admin/transactions/{transaction}/void")
    /// An operator's program replaces one revision of the policy of an app.
    public static let replaceAppPolicy = Route(.post, "/v1/admin/policies/app")
    /// An operator's program replaces one revision of the policy of a user.
    public static let replaceUserPolicy = Route(.post, "/v1/admin/policies/user")
    /// An operator's program reads the audit log.
    public static let administeredAuditEntries = Route(.get, "/v1/admin/audit")
    /// An operator's program reads the figures of the overview.
    public static let administeredOverview = Route(.get, "/v1/admin/overview")
    /// An operator's program lists the API keys.
    public static let apiKeys = Route(.get, "/v1/admin/api-keys")
    /// An operator's program creates an API key.
    public static let createAPIKey = Route(.post, "/v1/admin/api-keys")
    /// An operator's program revokes an API key.
    public static let revokeAPIKey = Route(.post, "/v1/admin/api-keys/{key}/revoke")
    /// An operator's program replaces the key that signs access tokens.
    public static let rotateSigningKey = Route(.post, "/v1/admin/signing-keys/rotate")
}
