package import NightlatchRelyingParty
import NightlatchWire

/// The party that a session belongs to: the admin key, or an operator.
struct ConsoleCaller: Sendable {
    let session: ConsoleSession
    /// The operator as the store has them at this request; nil for the admin key, which may do everything.
    let person: Operator?

    /// The party that the audit log names for the actions of this session.
    var party: ActingParty { person?.party ?? .operator }

    /// The name and the role, for the frame of each page.
    var shown: String { person.map { "\($0.name.rawValue), \($0.role.rawValue)" } ?? "admin key" }

    /// Whether the caller may do what `need` describes.
    func has(_ need: ConsoleNeed) -> Bool {
        guard let role = person?.role else { return true }
        return switch need {
        case .nothing: true
        case .scope(let scope): role.scopes.contains(scope)
        case .operators: role.managesOperators
        }
    }

    /// Whether the caller may open the page at `path`.
    func mayOpen(_ path: ConsolePath) -> Bool { has(path.need) }

    /// Whether the caller may send the form of the page at `path`.
    func mayAct(at path: ConsolePath) -> Bool { has(path.actionNeed) }
}

/// What a page or an action needs.
package enum ConsoleNeed: Hashable, Sendable {
    /// Nothing but a session; or no session, at the pages of the sign-in.
    case nothing
    case scope(APIScope)
    /// A role that manages operators.
    case operators

    /// The first role that has it.
    package var leastRole: OperatorRole {
        switch self {
        case .nothing: .viewer
        case .scope(let scope): .least(with: scope)
        case .operators: .owner
        }
    }
}

extension ConsolePath {
    /// What the page at this path needs. Each new path has a line here.
    package var need: ConsoleNeed {
        switch self {
        case .style, .signIn, .phoneSignIn, .signedIn, .signOut: .nothing
        case .overview: .scope(.overviewRead)
        case .find, .users, .exportUsers, .user: .scope(.usersRead)
        case .exportUser: .scope(.usersExport)
        case .deleteUser: .scope(.usersDelete)
        case .devices, .exportDevices, .device, .journeyKey, .remoteLogins, .exportRemoteLogins: .scope(.devicesRead)
        case .blockDevice, .unblockDevice, .renameDevice, .renameJourneyKey: .scope(.devicesWrite)
        case .revokeDevice, .removeJourneyKey: .scope(.devicesRevoke)
        case .endJourneySessions: .scope(.sessionsEnd)
        case .transactions, .exportTransactions, .transaction: .scope(.transactionsRead)
        case .voidTransaction: .scope(.transactionsWrite)
        case .apps, .app: .scope(.appsRead)
        case .addApp, .changeApp, .removeApp: .scope(.appsWrite)
        case .audit, .exportAudit: .scope(.auditRead)
        case .policy, .subjectPolicy: .scope(.policiesRead)
        case .webhooks, .webhook: .scope(.keysRead)
        case .redeliver, .pauseWebhook, .resumeWebhook: .scope(.keysWrite)
        case .operators, .addOperator, .changeOperator, .removeOperator, .operatorCode: .operators
        }
    }

    /// What the form of the page at this path needs.
    package var actionNeed: ConsoleNeed { self == .subjectPolicy ? .scope(.policiesWrite) : need }
}
