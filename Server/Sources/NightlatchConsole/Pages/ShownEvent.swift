import NightlatchRelyingParty
import NightlatchWire

/// An audit entry in a table.
struct ShownEvent: Sendable {
    let at: ShownTime
    let event: String
    let actor: String
    let user: Link?
    let device: Link?
    let transaction: Link?
    /// The id of a journey key. It has no link, because the key may have been removed.
    let journeyKey: String?
    /// The id of an app. It has no link, because the app may have been removed.
    let client: String?
    let claims: String?
    /// The members of a profile or policy that changed, or the list that was exported.
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
        actor = event.actor.rawValue
        user = event.user.map { Link(text: $0.rawValue, address: links.user($0)) }
        device = event.user.flatMap { user in
            event.device.map { Link(text: $0.rawValue, address: links.device($0, of: user)) }
        }
        transaction = event.transaction.map { Link(text: $0.rawValue, address: links.transaction($0)) }
        journeyKey = event.journeyKey?.rawValue
        client = event.client?.rawValue
        claims = event.shownClaims
        members = event.shownMembers
        problem = event.problem?.rawValue
        count = event.count
        isAboutNothing =
            event.device == nil && event.transaction == nil && event.journeyKey == nil && event.client == nil
            && event.claims == nil && event.shownMembers == nil && event.problem == nil && event.count == nil
    }
}
