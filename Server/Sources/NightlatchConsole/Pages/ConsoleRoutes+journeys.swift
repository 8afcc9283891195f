import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    func addJourneys(to routes: RouteGroup) {
        page(.journeyKey, on: routes) { request throws(ConsoleRefusal) in
            let device = try await journeyDevice(of: request)
            return ConsolePage(
                template: .journeyKey, title: device.name.rawValue, section: .users, parents: parents(of: device.user),
                content: JourneyKeyContent(
                    key: ShownJourneyKey(device, links: links), mayRename: request.caller.mayOpen(.renameJourneyKey),
                    mayRemove: request.caller.mayOpen(.removeJourneyKey)))
        }
        page(.renameJourneyKey, on: routes) { request throws(ConsoleRefusal) in
            renaming(subject(try await journeyDevice(of: request)), at: .renameJourneyKey)
        }
        action(.renameJourneyKey, on: routes) { request throws(ConsoleRefusal) in
            let device = try await journeyDevice(of: request)
            let text = request.fields.fields["name"] ?? ""
            guard let name = DeviceName(rawValue: text) else {
                return .page(renaming(subject(device), at: .renameJourneyKey, to: text, problem: .deviceNameRefused))
            }
            let administration = administration(of: request)
            _ = try await administer { () async throws(AdministrationError) in
                try await administration.rename(device.id, of: device.user, to: name)
            }
            return .done(at: links.renamed(device))
        }
        page(.removeJourneyKey, on: routes) { request throws(ConsoleRefusal) in
            removal(of: try await journeyDevice(of: request))
        }
        action(.removeJourneyKey, on: routes) { request throws(ConsoleRefusal) in
            let (user, id): (UserID, JourneyKeyID) = (try request.identifier("user"), try request.identifier("id"))
            let administration = administration(of: request, because: try request.reason())
            _ = try await administer { () async throws(AdministrationError) in
                try await administration.remove(id, of: user)
            }
            return .done(at: links.user(user, saying: .journeyKeyRemoved))
        }
        page(.endJourneySessions, on: routes) { request throws(ConsoleRefusal) in
            let user: UserID = try request.identifier("user")
            let sessions = try await administer { () async throws(AdministrationError) in
                try await administration.journeySessions(of: user)
            }
            return endOfSessions(of: user, count: sessions.count)
        }
        action(.endJourneySessions, on: routes) { request throws(ConsoleRefusal) in
            let user: UserID = try request.identifier("user")
            let administration = administration(of: request, because: try request.reason())
            _ = try await administer { () async throws(AdministrationError) in
                try await administration.endJourneySessions(of: user)
            }
            return .done(at: links.user(user, saying: .journeySessionsEnded))
        }
    }

    private func journeyDevice(of request: ConsoleRequest) async throws(ConsoleRefusal) -> JourneyDevice {
        let (user, id): (UserID, JourneyKeyID) = (try request.identifier("user"), try request.identifier("id"))
        return try await administer { () async throws(AdministrationError) in
            try await administration.journeyDevice(id, of: user)
        }
    }

    private func removal(of device: JourneyDevice) -> ConsolePage {
        confirmation(
            for: subject(device), title: "Remove this key?",
            effects: [
                "Journeys no longer accept its signatures. Its sessions end now, and journeys under way are stopped.",
                "The app keeps its key and gets no notice. The user can bind this or another key again.",
            ],
            action: .removeJourneyKey, verb: "Remove key", isGrave: true)
    }

    private func subject(_ device: JourneyDevice) -> ConsoleSubject {
        ConsoleSubject(
            user: device.user, name: device.name, id: Fact("Key id", device.id.rawValue),
            address: links.journeyKey(device.id, of: device.user))
    }

    private func endOfSessions(of user: UserID, count: Int) -> ConsolePage {
        let shown = count < Administration.endedLimit ? "\(count)" : "\(count) or more"
        return ConsolePage(
            template: .confirmation, title: "End all sessions of journeys?", section: .users,
            parents: parents(of: user),
            content: ConfirmationContent(
                facts: [Fact("User", user.rawValue), Fact("Sessions", shown)],
                effects: [
                    "No app or thief can use these sessions any more. Journeys under way are stopped.",
                    "Keys stay bound, and devices outside of journeys stay logged in.",
                ],
                action: links.link(.endJourneySessions), fields: [Fact("user", user.rawValue)],
                verb: "End all sessions", isGrave: true, back: links.user(user)))
    }
}

/// The values for the template of a journey key.
private struct JourneyKeyContent {
    let key: ShownJourneyKey
    let mayRename: Bool
    let mayRemove: Bool
}

extension ConsoleLinks {
    /// Returns the address of a user's page, with a message about an action.
    fileprivate func user(_ user: UserID, saying message: ConsoleMessage) -> String {
        link(.user, ("id", user.rawValue), (ConsoleMessage.field, message.rawValue))
    }

    /// Returns the address of a key's page, with a message that the key was renamed.
    fileprivate func renamed(_ device: JourneyDevice) -> String {
        link(
            .journeyKey, ("user", device.user.rawValue), ("id", device.id.rawValue),
            (ConsoleMessage.field, ConsoleMessage.journeyKeyRenamed.rawValue))
    }
}
