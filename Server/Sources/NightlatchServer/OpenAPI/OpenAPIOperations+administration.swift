import NightlatchRelyingParty
import NightlatchWire

extension OpenAPIOperations {
    static let administration = administeredUsers + administeredDevices + administeredRecords + administeredKeys

    private static let administeredUsers = [
        OpenAPIOperation(
            route: .administeredUsers, name: "listUsers", summary: "Users, in the byte order of their ids.",
            details: "With `prefix` only those whose ids begin with it. Ask again with `next` as the cursor.",
            caller: .administrator(.usersRead),
            parameters: [
                OpenAPISchema.optionalParameter("prefix", OpenAPISchema.reference("UserID")),
                OpenAPISchema.optionalParameter("cursor", OpenAPISchema.reference("UserID")), OpenAPISchema.limit,
            ], answer: "UserPage", refusals: [.malformedRequest]),
        OpenAPIOperation(
            route: .administeredUser, name: "getUser", summary: "A user with profile and devices.",
            details: """
                Devices only if the key has `devices:read` too: all that are not revoked, and the 50 that were revoked \
                last. A profile only with `profiles:read`.
                """,
            caller: .administrator(.usersRead),
            parameters: [OpenAPISchema.queryParameter("user", schema: "UserID")], answer: "AdministeredUser",
            refusals: [.malformedRequest, .notFound]),
        OpenAPIOperation(
            route: .exportUser, name: "exportUser", summary: "Everything that the server keeps about a user.",
            details: """
                The document is made while it is sent. If the connection ends before the document does, it is \
                incomplete. The audit log gets an entry before the first byte is sent.
                """,
            caller: .administrator(.usersExport), body: .json(schema: "UserRequest"), answer: "UserExport",
            refusals: [.notFound]),
        OpenAPIOperation(
            route: .deleteUser, name: "deleteUser", summary: "Deletes a user and everything about the user.",
            details: """
                This cannot be undone. Logins, tokens, sessions and journeys end at once. The entries of the audit log \
                stay, under the pseudonym of the answer. A repeated request gets `not_found`.
                """,
            caller: .administrator(.usersDelete), body: .json(schema: "JustifiedUserRequest"),
            answer: "UserDeletionReport", refusals: [.notFound]),
    ]

    private static let device = OpenAPISchema.pathParameter("device", schema: "DeviceID")

    private static let administeredDevices = [
        OpenAPIOperation(
            route: .administeredDevices, name: "listUserDevices", summary: "The devices of a user, oldest first.",
            details: "All devices that are not revoked, and the 50 that were revoked last.",
            caller: .administrator(.devicesRead),
            parameters: [OpenAPISchema.queryParameter("user", schema: "UserID")], answer: "AdministeredDeviceList",
            refusals: [.malformedRequest, .notFound]),
        OpenAPIOperation(
            route: .administerDeviceName, name: "renameUserDevice", summary: "Renames a device. Idempotent.",
            details: "Also a device that is blocked or revoked.",
            caller: .administrator(.devicesWrite), body: .json(schema: "UserDeviceNameRequest"),
            parameters: [device], answer: "AdministeredDevice", refusals: [.notFound]),
        OpenAPIOperation(
            route: .administerDeviceBlock, name: "blockUserDevice",
            summary: "Blocks a device until it is unblocked. Idempotent.",
            details: "Its refresh tokens are revoked. The user cannot unblock it.",
            caller: .administrator(.devicesWrite), body: .json(schema: "JustifiedUserRequest"),
            parameters: [device], answer: "AdministeredDevice", refusals: [.notFound, .deviceEnded]),
        OpenAPIOperation(
            route: .administerDeviceUnblock, name: "unblockUserDevice", summary: "Unblocks a device. Idempotent.",
            details: "Whether a user or an operator blocked it.",
            caller: .administrator(.devicesWrite), body: .json(schema: "UserRequest"),
            parameters: [device], answer: "AdministeredDevice", refusals: [.notFound, .deviceEnded]),
        OpenAPIOperation(
            route: .administerDeviceRevocation, name: "revokeUserDevice",
            summary: "Revokes a device for good. Idempotent.",
            details: "Its refresh tokens are revoked. The user can bind it again with a new key.",
            caller: .administrator(.devicesRevoke), body: .json(schema: "JustifiedUserRequest"),
            parameters: [device], answer: "AdministeredDevice", refusals: [.notFound]),
        OpenAPIOperation(
            route: .administeredJourneyKeys, name: "listJourneyKeys",
            summary: "The keys that a user has bound through journeys, oldest first.",
            details: "An `id` is unique only among the keys of one user.",
            caller: .administrator(.devicesRead),
            parameters: [OpenAPISchema.queryParameter("user", schema: "UserID")], answer: "JourneyKeyList",
            refusals: [.malformedRequest, .notFound]),
        OpenAPIOperation(
            route: .administerJourneyKeyName, name: "renameJourneyKey", summary: "Renames a journey key. Idempotent.",
            details: "The name is that of the device on which the key is stored.",
            caller: .administrator(.devicesWrite), body: .json(schema: "JourneyKeyNameRequest"),
            answer: "JourneyKey", refusals: [.notFound]),
        OpenAPIOperation(
            route: .removeJourneyKey, name: "removeJourneyKey", summary: "Removes a journey key.",
            details: """
                The sessions in which it made the last signature end. A repeated request gets `not_found`. The same \
                key may be bound again.
                """,
            caller: .administrator(.devicesRevoke), body: .json(schema: "JourneyKeyRemovalRequest"),
            answer: "JourneyKey", refusals: [.notFound]),
        OpenAPIOperation(
            route: .administeredJourneySessions, name: "listJourneySessions",
            summary: "The live journey sessions of a user, newest first.",
            details: "At most 50. Tokens are not in the answer: the server does not have them.",
            caller: .administrator(.devicesRead),
            parameters: [OpenAPISchema.queryParameter("user", schema: "UserID")], answer: "JourneySessionList",
            refusals: [.malformedRequest, .notFound]),
        OpenAPIOperation(
            route: .endJourneySessions, name: "endJourneySessions",
            summary: "Ends all journey sessions of a user. Idempotent.",
            details: "Journeys in progress are stopped. The answer has the number of sessions that this request ended.",
            caller: .administrator(.sessionsEnd), body: .json(schema: "JustifiedUserRequest"),
            answer: "EndedSessions", refusals: [.notFound]),
    ]

    private static let administeredRecords = [
        OpenAPIOperation(
            route: .administeredTransactions, name: "listAllTransactions",
            summary: "The transactions of all users, newest first, without proofs.",
            details: """
                With `user` or `state` only those that match. Pending and expired ones of all users are in the order \
                in which they expire. Ask again with `next` as the cursor.
                """,
            caller: .administrator(.adminTransactionsRead),
            parameters: [
                OpenAPISchema.optionalParameter("user", OpenAPISchema.reference("UserID")),
                OpenAPISchema.optionalParameter("state", OpenAPISchema.reference("TransactionState")),
                OpenAPISchema.optionalParameter("cursor", OpenAPISchema.timeCursor), OpenAPISchema.limit,
            ], answer: "TransactionPage", refusals: [.malformedRequest]),
        OpenAPIOperation(
            route: .administerTransactionVoiding, name: "voidTransactionAsOperator",
            summary: "Voids a pending transaction, with a reason. Idempotent.",
            details: """
                A transaction that was decided or has expired keeps its state, and the answer is that state's code.
                """,
            caller: .administrator(.adminTransactionsWrite), body: .json(schema: "JustifiedRequest"),
            parameters: [OpenAPISchema.pathParameter("transaction", schema: "TransactionID")],
            answer: "TransactionReport",
            refusals: [.notFound, .transactionConfirmed, .transactionRejected, .transactionExpired]),
        OpenAPIOperation(
            route: .replaceAppPolicy, name: "replaceAppPolicy",
            summary: "Replaces one revision of the policy of an app. Idempotent.",
            details: """
                Nothing changes if another revision is stored than the request names. A policy without members removes \
                the stored one. `appPolicy` reads the policy.
                """,
            caller: .administrator(.adminPoliciesWrite), body: .json(schema: "AppPolicyReplacement"),
            answer: "PolicyReport", refusals: [.policyChanged]),
        OpenAPIOperation(
            route: .replaceUserPolicy, name: "replaceUserPolicy",
            summary: "Replaces one revision of the policy of a user. Idempotent.",
            details: "As `replaceAppPolicy`, for a user who exists. `userPolicy` reads the policy.",
            caller: .administrator(.adminPoliciesWrite), body: .json(schema: "UserPolicyReplacement"),
            answer: "PolicyReport", refusals: [.notFound, .policyChanged]),
        OpenAPIOperation(
            route: .administeredAuditEntries, name: "listAuditEntries",
            summary: "Entries of the audit log, newest first.",
            details: """
                Without verification; `nightlatch audit verify` verifies the log. Ask again with `next` as the cursor. \
                If both `user` and `event` are given, the newest 10,000 entries of the user are searched.
                """,
            caller: .administrator(.auditRead),
            parameters: [
                OpenAPISchema.optionalParameter("user", OpenAPISchema.reference("UserID")),
                OpenAPISchema.optionalParameter("event", OpenAPISchema.reference("AuditEventKind")),
                OpenAPISchema.optionalParameter("problem", ["type": "string", "pattern": "^[a-z_]{1,64}$"]),
                OpenAPISchema.optionalParameter("until", OpenAPISchema.reference("NumericDate")),
                OpenAPISchema.optionalParameter("cursor", OpenAPISchema.auditCursor), OpenAPISchema.limit,
            ], answer: "AuditPage", refusals: [.malformedRequest]),
        OpenAPIOperation(
            route: .administeredOverview, name: "overview", summary: "The figures that an operator sees first.",
            details: "Numbers above 10,000 are not counted exactly. Events are counted up to some minutes ago.",
            caller: .administrator(.overviewRead), answer: "Overview"),
    ]

    private static let administeredKeys = [
        OpenAPIOperation(
            route: .apiKeys, name: "listAPIKeys", summary: "The API keys.",
            details: "All keys that are not revoked, oldest first; then the 100 that were revoked last. No secrets.",
            caller: .administrator(.keysRead), answer: "APIKeyList"),
        OpenAPIOperation(
            route: .createAPIKey, name: "createAPIKey", summary: "Creates an API key.",
            details: """
                Only this answer has the token. A key can give only scopes that it has, and no later end than its own, which \
                the transaction checks. After a lost answer, list the \
                keys, revoke the new one, and create another one.
                """,
            caller: .administrator(.keysWrite), body: .json(schema: "APIKeyRequest"), answer: "NewAPIKey",
            refusals: [.apiKeyNameTaken, .tooManyAPIKeys, .expiryRefused]),
        OpenAPIOperation(
            route: .revokeAPIKey, name: "revokeAPIKey", summary: "Revokes an API key for good. Idempotent.",
            details: """
                The next request with its token is refused, at every process that shares the store. Keys that it has \
                created stay valid: `created_by` of the list names the creator.
                """,
            caller: .administrator(.keysWrite), body: .json(schema: "JustifiedRequest"),
            parameters: [OpenAPISchema.pathParameter("key", schema: "APIKeyID")], answer: "APIKey",
            refusals: [.notFound]),
        OpenAPIOperation(
            route: .rotateSigningKey, name: "rotateSigningKey", summary: "Replaces the key that signs access tokens.",
            details: """
                Issued tokens stay valid. Servers publish the new key within a minute, and sign with it seven minutes \
                after this request. A second request within these minutes gives the same key.
                """,
            caller: .administrator(.signingKeysRotate), body: .json(schema: "JustifiedRequest"),
            answer: "RotatedSigningKey"),
    ]
}
