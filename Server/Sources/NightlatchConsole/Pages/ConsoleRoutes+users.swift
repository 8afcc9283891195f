import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    func addUsers(to routes: RouteGroup) {
        page(.users, on: routes) { request throws(ConsoleRefusal) in
            let prefix = request.text("prefix")
            let id = prefix.flatMap(UserID.init(rawValue:))
            let last: UserID? = request.text("after") == nil ? nil : try request.identifier("after")
            // A prefix that is no valid user id matches no user.
            guard prefix == nil || id != nil else { return usersPage(prefix: prefix, users: [], next: nil) }
            let page = try await administer { () async throws(AdministrationError) in
                try await administration.users(startingWith: id, after: last)
            }
            return usersPage(prefix: prefix, users: page.elements, next: page.next)
        }
        page(.user, on: routes) { request throws(ConsoleRefusal) in
            let id: UserID = try request.identifier("id")
            return try await administer { () async throws(AdministrationError) in
                let user = try await administration.user(id)
                let profile = try await administration.profile(of: id)
                let devices = try await administration.devices(of: id)
                let transactions = try await administration.transactions(of: id)
                let keys = try await administration.journeyDevices(of: id)
                let sessions = try await administration.journeySessions(of: id)
                let entries = try await administration.auditEntries(of: id, pageLength: Self.eventCount)
                return ConsolePage(
                    template: .user, title: id.rawValue, section: .users,
                    parents: [.init(text: "Users", address: links.link(.users))],
                    content: UserContent(
                        createdAt: ShownTime(user.createdAt), password: user.hasPassword ? "set" : "not set",
                        profile: profile?.profile.facts.map { Fact($0.member.rawValue, $0.value) } ?? [],
                        deviceCaption: "In the order in which they were bound",
                        devices: devices.map { ShownDevice($0, links: links) },
                        hasJourneys: configuration.journeys != nil || !keys.isEmpty || !sessions.isEmpty,
                        journeyKeyCaption: "In the order in which they were bound",
                        journeyKeys: keys.map { ShownJourneyKey($0, links: links) },
                        journeySessionCaption: "Active sessions, newest first",
                        journeySessions: sessions.map { ShownJourneySession($0) },
                        sessionEnd: sessions.isEmpty ? nil : links.link(.endJourneySessions, ("user", id.rawValue)),
                        transactionCaption: "Newest first",
                        transactions: transactions.reversed().map { ShownTransaction($0, links: links) },
                        eventCaption: "The newest entries about this user",
                        events: entries.elements.map { ShownEvent($0, links: links) },
                        audit: links.audit(of: id), policy: links.policy(of: .user(id)),
                        export: links.link(.exportUser, ("id", id.rawValue)),
                        deletion: links.link(.deleteUser, ("id", id.rawValue))))
            }
        }
    }

    private func usersPage(prefix: String?, users: [UserRecord], next: UserID?) -> ConsolePage {
        let caption =
            switch (prefix, users.isEmpty) {
            case (nil, true): "There are no users yet."
            case (nil, false): "In the order of their ids"
            case (let prefix?, true): "No user id begins with “\(prefix)”."
            case (let prefix?, false): "Users whose id begins with “\(prefix)”, in the order of their ids"
            }
        return ConsolePage(
            template: .users, title: "Users", section: .users,
            content: UsersContent(
                search: links.link(.users), prefix: prefix ?? "", caption: caption,
                users: users.map { ShownUser($0, links: links) },
                next: next.map { links.link(.users, ("prefix", prefix ?? ""), ("after", $0.rawValue)) }))
    }
}

/// The values for the template of the user list.
private struct UsersContent {
    let search: String
    let prefix: String
    let caption: String
    let users: [ShownUser]
    let next: String?
}

private struct ShownUser {
    let id: String
    let address: String
    let createdAt: ShownTime
    let password: String
    let active: Int
    let blocked: Int
    let revoked: Int

    init(_ user: UserRecord, links: ConsoleLinks) {
        id = user.id.rawValue
        address = links.user(user.id)
        createdAt = ShownTime(user.createdAt)
        password = user.hasPassword ? "set" : "not set"
        (active, blocked, revoked) = (user.devices.active, user.devices.blocked, user.devices.revoked)
    }
}

/// The values for the template of a user.
private struct UserContent {
    let createdAt: ShownTime
    let password: String
    /// The members of the user's profile, under their names in JSON.
    let profile: [Fact]
    let deviceCaption: String
    let devices: [ShownDevice]
    /// Whether the server serves journeys, or the user has journey keys or sessions.
    let hasJourneys: Bool
    let journeyKeyCaption: String
    let journeyKeys: [ShownJourneyKey]
    let journeySessionCaption: String
    let journeySessions: [ShownJourneySession]
    let sessionEnd: String?
    let transactionCaption: String
    let transactions: [ShownTransaction]
    let eventCaption: String
    let events: [ShownEvent]
    let audit: String
    let policy: String
    let export: String
    let deletion: String
}
