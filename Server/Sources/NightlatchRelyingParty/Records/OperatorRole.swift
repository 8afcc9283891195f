/// What an operator may do in the console. Each role may do everything that the roles before it may do.
///
/// The raw values are in stores, in the audit log and at the command line.
public enum OperatorRole: String, Codable, Hashable, Sendable, CaseIterable {
    /// Looks at everything, and changes nothing.
    case viewer
    /// Helps users: renames, blocks and unblocks devices, and ends sessions. All of this can be undone.
    case support
    /// Revokes devices, voids transactions, and changes policies and keys.
    case security
    /// Does everything. Only an owner registers apps, deletes users, and adds, changes and removes operators.
    case owner

    /// The scopes of the role: the same words that limit API keys.
    public var scopes: Set<APIScope> {
        switch self {
        case .viewer:
            [
                .transactionsRead, .profilesRead, .policiesRead, .appsRead, .usersRead, .devicesRead, .auditRead,
                .overviewRead,
            ]
        case .support: Self.viewer.scopes.union([.devicesWrite, .sessionsEnd])
        case .security:
            Self.support.scopes.union([
                .transactionsWrite, .policiesWrite, .usersExport, .devicesRevoke, .keysRead, .keysWrite,
                .signingKeysRotate,
            ])
        case .owner: Set(APIScope.allCases)
        }
    }

    /// Whether the role lists, adds, changes and removes operators. No API key can.
    public var managesOperators: Bool { self == .owner }

    /// The effect, for tables and help texts.
    public var summary: String {
        switch self {
        case .viewer: "Look at everything."
        case .support: "Also rename, block and unblock devices, and end sessions."
        case .security: "Also revoke devices, void transactions, export users, and change policies and keys."
        case .owner: "Also register apps, delete users and manage operators."
        }
    }

    /// The first role that has `scope`.
    package static func least(with scope: APIScope) -> Self { allCases.first { $0.scopes.contains(scope) } ?? .owner }
}
