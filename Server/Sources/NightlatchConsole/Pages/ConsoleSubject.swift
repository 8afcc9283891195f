import HTTPTypes
import NightlatchWire

/// An object that an operator renames or ends: a device or a journey key.
struct ConsoleSubject {
    let user: UserID
    let name: DeviceName
    /// The identifier, with its label.
    let id: Fact
    /// The address of the object's page.
    let address: String
}

extension ConsoleRoutes {
    /// The breadcrumbs of a page below the user's page.
    func parents(of user: UserID) -> [ConsolePage.Link] {
        [
            .init(text: "Users", address: links.link(.users)), .init(text: user.rawValue, address: links.user(user)),
        ]
    }

    private func parentsAndItself(of subject: ConsoleSubject) -> [ConsolePage.Link] {
        parents(of: subject.user) + [.init(text: subject.name.rawValue, address: subject.address)]
    }

    /// Returns the form for a new name. `problem` is the reason why the previous input was refused.
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

    /// Returns a page that explains the effects of an action and asks for confirmation.
    func confirmation(
        for subject: ConsoleSubject,
        title: String,
        effects: [String],
        action: ConsolePath,
        verb: String,
        isGrave: Bool,
        isReasonRequired: Bool = true
    ) -> ConsolePage {
        ConsolePage(
            template: .confirmation, title: title, section: .users, parents: parentsAndItself(of: subject),
            content: ConfirmationContent(
                facts: [Fact("Device", subject.name.rawValue), Fact("User", subject.user.rawValue), subject.id],
                effects: effects, action: links.link(action),
                fields: [Fact("user", subject.user.rawValue), Fact("id", subject.id.value)], verb: verb,
                isGrave: isGrave, isReasonRequired: isReasonRequired, back: subject.address))
    }
}

/// The values for the renaming template.
struct RenamingContent {
    let action: String
    let user: String
    let id: String
    let name: String
    let problem: String?
    let back: String
}
