import NightlatchRelyingParty
import NightlatchWire

/// An audit entry in a table.
struct ShownEvent: Sendable {
    let at: ShownTime
    let event: String
    /// The kind of party, and the name of its API key if it has one.
    let actor: String
    let user: Link?
    let device: Link?
    /// The id of a device of a deleted user. It has no link.
    let deletedDevice: String?
    let reason: String?
    let transaction: Link?
    /// The id of a transaction of a deleted user. It has no link.
    let deletedTransaction: String?
    /// The id of a journey key. It has no link, because the key may have been removed.
    let journeyKey: String?
    /// The id of an app. It has no link, because the app may have been removed.
    let client: String?
    let claims: String?
    /// The members of a profile or policy that changed, the list that was exported, or an API key and its scopes.
    let members: String?
    let problem: String?
    let count: Int?
    let isAboutNothing: Bool

    struct Link: Sendable {
        let text: String
        let address: String
    }

    init(_ entry: AuditEntry, links: ConsoleLinks) {
        let event = entry.event
        at = ShownTime(entry.at)
        self.event = event.kind.inWords
        actor = event.actor.shown
        // The page of a deleted user does not exist, but the audit log finds the entries by the pseudonym.
        user =
            event.user.map { Link(text: $0.rawValue, address: links.user($0)) }
            ?? event.pseudonym.map { Link(text: $0.rawValue, address: links.audit(of: $0)) }
        device = event.user.flatMap { user in
            event.device.map { Link(text: $0.rawValue, address: links.device($0, of: user)) }
        }
        deletedDevice = event.user == nil ? event.device?.rawValue : nil
        reason = event.reason?.rawValue
        let transaction = event.transaction
        self.transaction = event.user.flatMap { _ in
            transaction.map { Link(text: $0.rawValue, address: links.transaction($0)) }
        }
        deletedTransaction = event.user == nil ? transaction?.rawValue : nil
        journeyKey = event.journeyKey?.rawValue
        client = event.client?.rawValue
        claims = event.shownClaims
        members = event.shownMembers
        problem = event.problem?.rawValue
        count = event.count
        isAboutNothing =
            event.device == nil && event.transaction == nil && event.journeyKey == nil && event.client == nil
            && event.claims == nil && event.shownMembers == nil && event.problem == nil && event.count == nil
            && event.reason == nil
    }
}
