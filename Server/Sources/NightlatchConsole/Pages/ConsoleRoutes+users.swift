import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    func addUsers(to routes: RouteGroup) {
        page(.user, on: routes) { request throws(ConsoleRefusal) in
            let (id, caller): (UserID, ConsoleCaller) = (try request.identifier("id"), request.caller)
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
                        devices: devices.map { ShownDevice($0, links: links) }, noDevices: "No device is bound.",
                        hasJourneys: configuration.journeys != nil || !keys.isEmpty || !sessions.isEmpty,
                        journeyKeyCaption: "In the order in which they were bound",
                        journeyKeys: keys.map { ShownJourneyKey($0, links: links) },
                        journeySessionCaption: "Active sessions, newest first",
                        journeySessions: sessions.map { ShownJourneySession($0) },
                        sessionEnd: sessions.isEmpty || !caller.mayOpen(.endJourneySessions)
                            ? nil : links.link(.endJourneySessions, ("user", id.rawValue)),
                        transactionCaption: "Newest first",
                        transactions: transactions.reversed().map { ShownTransaction($0, links: links) },
                        noTransactions: "There are no transactions.",
                        eventCaption: "The newest entries about this user",
                        events: entries.elements.map { ShownEvent($0, links: links) },
                        audit: links.audit(of: id), policy: links.policy(of: .user(id)),
                        policyText: caller.mayAct(at: .subjectPolicy) ? "Show and change" : "Show",
                        mayExport: caller.mayAct(at: .exportUser), export: links.link(.exportUser), id: id.rawValue,
                        deletion: caller.mayOpen(.deleteUser) ? links.link(.deleteUser, ("id", id.rawValue)) : nil))
            }
        }
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
    let noDevices: String
    /// Whether the server serves journeys, or the user has journey keys or sessions.
    let hasJourneys: Bool
    let journeyKeyCaption: String
    let journeyKeys: [ShownJourneyKey]
    let journeySessionCaption: String
    let journeySessions: [ShownJourneySession]
    let sessionEnd: String?
    let transactionCaption: String
    let transactions: [ShownTransaction]
    let noTransactions: String
    let isOfAllUsers = false
    let eventCaption: String
    let events: [ShownEvent]
    let audit: String
    let policy: String
    let policyText: String
    /// Whether the operator may export the user. Only then the page may also lead to the deletion.
    let mayExport: Bool
    /// The address to which the form of the export is sent.
    let export: String
    let id: String
    let deletion: String?
}
