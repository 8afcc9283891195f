import HTTPTypes
import NightlatchWire

/// What an operator renames or ends: a device, or a key that was bound through a journey.
struct ConsoleSubject {
    let user: UserID
    let name: DeviceName
    /// What it is called by, under the name that this has on its page.
    let id: Fact
    /// Its own page.
    let address: String
}

extension ConsoleRoutes {
    /// What leads to a page on something of the user's.
    func parents(of user: UserID) -> [ConsolePage.Link] {
        [
            .init(text: "Users", address: links.link(.users)), .init(text: user.rawValue, address: links.user(user)),
        ]
    }

    private func parentsAndItself(of subject: ConsoleSubject) -> [ConsolePage.Link] {
        parents(of: subject.user) + [.init(text: subject.name.rawValue, address: subject.address)]
    }

    /// Asks for another name; `problem` is what was wrong with the one that was given.
    func renaming(
        _ subject: ConsoleSubject,
        at action: ConsolePath,
        to name: String? = nil,
        problem: ConsoleRefusal? = nil
    ) -> ConsolePage {
        ConsolePage(
            template: .renaming, title: "Rename this device", section: .users, parents: parentsAndItself(of: subject),
            status: problem?.status ?? .ok,
            content: RenamingContent(
                action: links.link(action), user: subject.user.rawValue, id: subject.id.value,
                name: name ?? subject.name.rawValue, problem: problem?.sentence, back: subject.address))
    }

    /// Says what will happen, and asks before it does.
    func confirmation(
        for subject: ConsoleSubject,
        title: String,
        effects: [String],
        action: ConsolePath,
        verb: String,
        isGrave: Bool
    ) -> ConsolePage {
        ConsolePage(
            template: .confirmation, title: title, section: .users, parents: parentsAndItself(of: subject),
            content: ConfirmationContent(
                facts: [Fact("Device", subject.name.rawValue), Fact("User", subject.user.rawValue), subject.id],
                effects: effects, action: links.link(action),
                fields: [Fact("user", subject.user.rawValue), Fact("id", subject.id.value)], verb: verb,
                isGrave: isGrave, back: subject.address))
    }
}

/// What the page for another name names.
struct RenamingContent {
    let action: String
    let user: String
    let id: String
    let name: String
    let problem: String?
    let back: String
}
