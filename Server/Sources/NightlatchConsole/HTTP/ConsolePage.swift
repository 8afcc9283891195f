import HTTPTypes

/// A page of the console before it is rendered.
struct ConsolePage {
    let template: ConsoleTemplate
    /// Its heading, and the title of its window.
    let title: String
    /// The part of the console that it belongs to; nil for none.
    var section: Section?
    /// The pages above it, outermost first.
    var parents: [Link] = []
    /// What became of what was asked for last.
    var message: ConsoleMessage?
    var status = HTTPResponse.Status.ok
    /// What its template names.
    let content: any Sendable

    /// A part of the console that can be reached from every page.
    enum Section: String, CaseIterable {
        case overview = "Overview"
        case users = "Users"
        case audit = "Audit"
        case policy = "Policy"

        var path: ConsolePath {
            switch self {
            case .overview: .overview
            case .users: .users
            case .audit: .audit
            case .policy: .policy
            }
        }
    }

    struct Link {
        let text: String
        let address: String
    }
}

/// What a page says of an action before it, which sent the browser there. A closed set, so an address can make no page say anything else.
enum ConsoleMessage: String, CaseIterable, Sendable {
    case deviceRevoked = "device_revoked"
    case deviceBlocked = "device_blocked"
    case deviceUnblocked = "device_unblocked"
    case deviceRenamed = "device_renamed"
    case journeyKeyRenamed = "journey_key_renamed"
    case journeyKeyRemoved = "journey_key_removed"
    case journeySessionsEnded = "journey_sessions_ended"
    case transactionVoided = "transaction_voided"

    /// The member of a query that carries it.
    static let field = "done"

    var sentence: String {
        switch self {
        case .deviceRevoked: "The device was revoked, and its logins have ended."
        case .deviceBlocked: "The device was blocked, and its logins have ended."
        case .deviceUnblocked: "The device was unblocked. It can log in again."
        case .deviceRenamed: "The device was renamed."
        case .journeyKeyRenamed: "The key’s device was renamed."
        case .journeyKeyRemoved: "The key was removed, and the sessions that it began have ended."
        case .journeySessionsEnded: "The sessions of journeys have ended."
        case .transactionVoided: "The transaction was taken back."
        }
    }
}
