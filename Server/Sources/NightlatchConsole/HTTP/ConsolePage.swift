import HTTPTypes

/// A page of the console before it is rendered.
struct ConsolePage {
    let template: ConsoleTemplate
    /// The heading and the window's title.
    let title: String
    /// The section of the page; nil for none.
    var section: Section?
    /// The parent pages, outermost first.
    var parents: [Link] = []
    /// The message about the previous action.
    var message: ConsoleMessage?
    var status = HTTPResponse.Status.ok
    /// The values for the template.
    let content: any Sendable

    /// A section of the console. Every page links to all sections.
    enum Section: String, CaseIterable {
        case overview = "Overview"
        case users = "Users"
        case devices = "Devices"
        case transactions = "Transactions"
        case apps = "Apps"
        case webhooks = "Webhooks"
        case audit = "Audit"
        case policy = "Policy"
        case operators = "Operators"

        var path: ConsolePath {
            switch self {
            case .overview: .overview
            case .users: .users
            case .devices: .devices
            case .transactions: .transactions
            case .apps: .apps
            case .webhooks: .webhooks
            case .audit: .audit
            case .policy: .policy
            case .operators: .operators
            }
        }
    }

    struct Link: Sendable {
        let text: String
        let address: String
    }
}

/// A message about the previous action, named in the address. The set is closed, so an address cannot make a page show
/// any other text.
enum ConsoleMessage: String, CaseIterable, Sendable {
    case deviceRevoked = "device_revoked"
    case deviceBlocked = "device_blocked"
    case deviceUnblocked = "device_unblocked"
    case deviceRenamed = "device_renamed"
    case journeyKeyRenamed = "journey_key_renamed"
    case journeyKeyRemoved = "journey_key_removed"
    case journeySessionsEnded = "journey_sessions_ended"
    case transactionVoided = "transaction_voided"
    case appRegistered = "app_registered"
    case appChanged = "app_changed"
    case appRemoved = "app_removed"
    case policyChanged = "policy_changed"
    case webhookPaused = "webhook_paused"
    case webhookResumed = "webhook_resumed"
    case redelivered
    case userDeleted = "user_deleted"
    case operatorChanged = "operator_changed"
    case operatorRemoved = "operator_removed"

    /// The query member with the message.
    static let field = "done"

    var sentence: String {
        switch self {
        case .deviceRevoked: "The device was revoked, and its logins have ended."
        case .deviceBlocked: "The device was blocked, and its logins have ended."
        case .deviceUnblocked: "The device was unblocked. It can log in again."
        case .deviceRenamed: "The device was renamed."
        case .journeyKeyRenamed: "The key’s device was renamed."
        case .journeyKeyRemoved: "The key was removed, and the sessions that it began have ended."
        case .journeySessionsEnded: "All sessions of journeys have ended."
        case .transactionVoided: "The transaction was voided."
        case .appRegistered: "The app was registered."
        case .appChanged: "The app was changed."
        case .appRemoved: "The app was removed."
        case .policyChanged: "The policy was changed. Devices get it at the next login or refresh."
        case .webhookPaused: "The webhook is paused. Its events wait."
        case .webhookResumed: "The webhook is active again."
        case .redelivered: "The dead letters are delivered again."
        case .userDeleted: "The user was deleted. The entry “User deleted” of the audit log has the pseudonym."
        case .operatorChanged: "The operator was changed. The change has an effect from the next click on."
        case .operatorRemoved: "The operator was removed, and their sessions have ended."
        }
    }
}
