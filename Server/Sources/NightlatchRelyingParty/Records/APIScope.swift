/// A set of routes that an API key can open.
///
/// Each route that needs a key belongs to exactly one scope, and no scope opens both routes of backends and routes of
/// operators. The raw values are on the wire, in stores and at the command line: the subject, a colon, and the kind of
/// access.
public enum APIScope: String, Codable, Hashable, Sendable, CaseIterable {
    /// Creates enrolment codes.
    case enrolmentWrite = "enrolment:write"
    /// Sets the passwords of users.
    case passwordsWrite = "passwords:write"
    /// Verifies the passwords of users.
    case passwordsVerify = "passwords:verify"
    /// Reads the states of access tokens and refresh tokens.
    case tokensRead = "tokens:read"
    /// Lists and reads transactions.
    case transactionsRead = "transactions:read"
    /// Creates and voids transactions.
    case transactionsWrite = "transactions:write"
    /// Reads the profiles of users.
    case profilesRead = "profiles:read"
    /// Replaces and removes the profiles of users.
    case profilesWrite = "profiles:write"
    /// Reads the policies of apps and users.
    case policiesRead = "policies:read"
    /// Replaces and removes the policies of apps and users.
    case policiesWrite = "policies:write"
    /// Lists and reads the registered apps.
    case appsRead = "apps:read"
    /// Registers, changes and removes apps.
    case appsWrite = "apps:write"
    /// Lists the keys that users have bound through journeys.
    case journeyKeysRead = "journey-keys:read"
    /// Renames keys of journeys.
    case journeyKeysWrite = "journey-keys:write"
    /// Removes keys of journeys, for good.
    case journeyKeysRemove = "journey-keys:remove"
    /// Lists, searches and shows users. With ``profilesRead`` and ``devicesRead`` also their profiles and devices.
    case usersRead = "users:read"
    /// Exports everything that the server keeps about a user.
    case usersExport = "users:export"
    /// Deletes users.
    case usersDelete = "users:delete"
    /// Lists the devices, the journey keys and the journey sessions of a user.
    case devicesRead = "devices:read"
    /// Renames devices and journey keys, and blocks and unblocks devices. All of this can be undone.
    case devicesWrite = "devices:write"
    /// Revokes devices and removes journey keys, for good.
    case devicesRevoke = "devices:revoke"
    /// Lists the transactions of all users, for an operator.
    case adminTransactionsRead = "admin-transactions:read"
    /// Voids transactions as an operator.
    case adminTransactionsWrite = "admin-transactions:write"
    /// Replaces and removes the policies of apps and users as an operator.
    case adminPoliciesWrite = "admin-policies:write"
    /// Ends the journey sessions of a user.
    case sessionsEnd = "sessions:end"
    /// Reads the audit log.
    case auditRead = "audit:read"
    /// Reads the figures of the overview.
    case overviewRead = "overview:read"
    /// Lists the API keys.
    case keysRead = "keys:read"
    /// Creates and revokes API keys.
    case keysWrite = "keys:write"
    /// Replaces the key that signs access tokens.
    case signingKeysRotate = "signing-keys:rotate"

    /// The effect, for tables and the OpenAPI description.
    public var summary: String {
        switch self {
        case .enrolmentWrite: "Create enrolment codes."
        case .passwordsWrite: "Set passwords of users."
        case .passwordsVerify: "Verify passwords of users."
        case .tokensRead: "Introspect tokens."
        case .transactionsRead: "List and read transactions."
        case .transactionsWrite: "Create and void transactions."
        case .profilesRead: "Read profiles of users."
        case .profilesWrite: "Replace and remove profiles of users."
        case .policiesRead: "Read policies of apps and users."
        case .policiesWrite: "Replace and remove policies of apps and users."
        case .appsRead: "List and read registered apps."
        case .appsWrite: "Register, change and remove apps."
        case .journeyKeysRead: "List keys of journeys, as a backend."
        case .journeyKeysWrite: "Rename keys of journeys, as a backend."
        case .journeyKeysRemove: "Remove keys of journeys, as a backend."
        case .usersRead: "List, search and show users; with profiles:read and devices:read also these."
        case .usersExport: "Export everything that the server keeps about a user."
        case .usersDelete: "Delete users."
        case .devicesRead: "List devices, journey keys and journey sessions of a user."
        case .devicesWrite: "Rename devices and journey keys; block and unblock devices."
        case .devicesRevoke: "Revoke devices and remove journey keys, for good."
        case .adminTransactionsRead: "List the transactions of all users, as an operator."
        case .adminTransactionsWrite: "Void transactions, as an operator."
        case .adminPoliciesWrite: "Replace and remove policies of apps and users, as an operator."
        case .sessionsEnd: "End the journey sessions of a user."
        case .auditRead: "Read the audit log."
        case .overviewRead: "Read the figures of the overview."
        case .keysRead: "List API keys."
        case .keysWrite: "Create and revoke API keys."
        case .signingKeysRotate: "Replace the key that signs access tokens."
        }
    }

    /// The scopes of the backend key of the server's settings: all routes that backends have used since before there
    /// were API keys. It opens no route of an operator.
    package static let ofBackendKey: Set<Self> = [
        .enrolmentWrite, .passwordsWrite, .passwordsVerify, .tokensRead, .transactionsRead, .transactionsWrite,
        .profilesRead, .profilesWrite, .policiesRead, .policiesWrite, .appsRead, .appsWrite, .journeyKeysRead,
        .journeyKeysWrite, .journeyKeysRemove,
    ]
}

extension Set<APIScope> {
    /// The scopes in the order of ``APIScope``'s cases.
    package var inOrder: [APIScope] { APIScope.allCases.filter(contains) }

    /// The form in which a store contains the scopes: their names, separated by spaces.
    package var document: String { inOrder.map(\.rawValue).joined(separator: " ") }

    /// Reads the form that ``document`` returns.
    ///
    /// Names that this version does not know are ignored: a newer version that shares the store may have written them,
    /// and this version has no route that they open.
    package init(document: String) {
        self.init(document.split(separator: " ").compactMap { APIScope(rawValue: String($0)) })
    }
}
