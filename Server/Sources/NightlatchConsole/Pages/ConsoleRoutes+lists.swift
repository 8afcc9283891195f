import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    func addLists(to routes: RouteGroup) {
        page(.users, on: routes) { request throws(ConsoleRefusal) in
            try await usersPage(UserList(ListFields(request)))
        }
        page(.devices, on: routes) { request throws(ConsoleRefusal) in
            try await devicesPage(DeviceList(ListFields(request)))
        }
        page(.transactions, on: routes) { request throws(ConsoleRefusal) in
            try await transactionsPage(TransactionList(ListFields(request)))
        }
        page(.remoteLogins, on: routes) { request throws(ConsoleRefusal) in
            try await remoteLoginsPage(before: try ListFields(request).value("before", TimePosition.init))
        }
        page(.audit, on: routes) { request throws(ConsoleRefusal) in
            try await auditPage(AuditList(ListFields(request)))
        }
    }

    private func usersPage(_ list: UserList) async throws(ConsoleRefusal) -> ConsolePage {
        let (page, count) = try await administer { () async throws(AdministrationError) in
            (
                try await administration.users(matching: list.filter, after: list.position),
                try await administration.count(.users(matching: list.filter))
            )
        }
        let empty = list.prefix.map { "No user id begins with “\($0)”." } ?? "There are no users yet."
        return ConsolePage(
            template: .users, title: "Users", section: .users,
            content: UsersContent(
                search: links.link(.users), prefix: list.prefix ?? "",
                empty: list.position == nil ? empty : "No further users.",
                users: page.elements.map { ShownUser($0, links: links) },
                pages: pages(
                    .users, list.kept, caption: list.caption(count), isFirst: list.position == nil,
                    next: page.next.map { ("Next users", [("after", $0.id)]) }, hasLetters: list.prefix == nil,
                    export: .exportUsers)))
    }

    private func devicesPage(_ list: DeviceList) async throws(ConsoleRefusal) -> ConsolePage {
        let apps = try await clients()
        var (devices, next, count): ([DeviceRecord], ListPosition?, BoundedCount) = ([], nil, .none)
        if let filter = list.filter {
            (devices, next, count) = try await administer { () async throws(AdministrationError) in
                let page = try await administration.devices(matching: filter, after: list.position)
                return (page.elements, page.next, try await administration.count(.devices(filter)))
            }
        }
        let empty =
            list.filter == nil
            ? "“\(list.id ?? "")” is not the beginning of a device id: it needs 4 to 32 digits, 0 to 9 and a to f."
            : "No device matches."
        return ConsolePage(
            template: .deviceList, title: "Devices", section: .devices,
            content: DevicesContent(
                search: links.link(.devices), name: list.name ?? "", id: list.id ?? "",
                statuses: [FormChoice(value: "", text: "All", isChosen: list.status == nil)]
                    + DeviceFilter.Status.allCases.map {
                        FormChoice(value: $0.rawValue, text: $0.inWords.capitalisedFirst, isChosen: $0 == list.status)
                    },
                apps: [FormChoice(value: "", text: "All", isChosen: list.client == nil)]
                    + apps.map { FormChoice(value: $0.rawValue, text: $0.rawValue, isChosen: $0 == list.client) },
                empty: list.position == nil || list.filter == nil ? empty : "No further devices.",
                devices: devices.map { ListedDevice($0, links: links) },
                pages: pages(
                    .devices, list.kept, caption: list.caption(count), isFirst: list.position == nil,
                    next: next.map { ("Next devices", [("after", $0.id), ("after_name", $0.text.folded)]) },
                    hasLetters: list.name == nil && list.filter?.isOrderedByID == false, export: .exportDevices)))
    }

    private func transactionsPage(_ list: TransactionList) async throws(ConsoleRefusal) -> ConsolePage {
        let (page, count) = try await administer { () async throws(AdministrationError) in
            (
                try await administration.transactions(matching: list.filter, before: list.position),
                try await administration.count(.transactions(list.filter))
            )
        }
        return ConsolePage(
            template: .transactionList, title: "Transactions", section: .transactions,
            content: TransactionsContent(
                search: links.link(.transactions), user: list.filter.user?.rawValue ?? "",
                until: list.until?.text ?? "",
                states: [FormChoice(value: "", text: "All", isChosen: list.filter.state == nil)]
                    + TransactionState.allCases.map {
                        FormChoice(
                            value: $0.rawValue, text: $0.rawValue.capitalisedFirst, isChosen: $0 == list.filter.state)
                    },
                transactions: page.elements.map { ListedTransaction($0, links: links) },
                waiting: links.link(.remoteLogins),
                pages: pages(
                    .transactions, list.kept, caption: list.caption(count), isFirst: list.position == nil,
                    next: page.next.map { ("Older transactions", [("before", $0.description)]) },
                    export: .exportTransactions)))
    }

    private func remoteLoginsPage(before position: TimePosition?) async throws(ConsoleRefusal) -> ConsolePage {
        let (page, count) = try await administer { () async throws(AdministrationError) in
            (
                try await administration.waitingRemoteLogins(before: position),
                try await administration.count(.waitingRemoteLogins)
            )
        }
        return ConsolePage(
            template: .remoteLogins, title: "Waiting remote logins", section: .transactions,
            parents: [.init(text: "Transactions", address: links.link(.transactions))],
            content: RemoteLoginsContent(
                logins: page.elements.map { ListedRemoteLogin($0, links: links) },
                pages: pages(
                    .remoteLogins, [],
                    caption: count.inWords("login waits", "logins wait") + ", the one that expires last first",
                    isFirst: position == nil,
                    next: page.next.map { ("Next logins", [("before", $0.description)]) },
                    export: .exportRemoteLogins)))
    }

    private func auditPage(_ list: AuditList) async throws(ConsoleRefusal) -> ConsolePage {
        let (page, count) = try await administer { () async throws(AdministrationError) in
            (
                try await administration.auditEntries(matching: list.filter, before: list.position),
                try await administration.count(.auditEntries(list.filter))
            )
        }
        let pages = pages(
            .audit, list.kept, caption: list.caption(count), isFirst: list.position == nil, first: "Newest events",
            next: page.next.map { ("Older events", [("before", $0.description)]) }, export: .exportAudit)
        return ConsolePage(
            template: .audit, title: list.filter.user.map { "Audit of \($0)" } ?? "Audit", section: .audit,
            content: AuditContent(
                search: links.link(.audit), user: list.filter.user?.rawValue ?? "", until: list.until?.text ?? "",
                problem: list.filter.problem?.rawValue ?? "",
                kinds: [FormChoice(value: "", text: "All", isChosen: list.filter.kind == nil)]
                    + AuditEvent.Kind.allCases.map {
                        FormChoice(value: $0.rawValue, text: $0.inWords, isChosen: $0 == list.filter.kind)
                    },
                eventCaption: pages.caption, events: page.elements.map { ShownEvent($0, links: links) },
                pages: pages))
    }

    /// The ids of the apps by which devices can be filtered.
    private func clients() async throws(ConsoleRefusal) -> [ClientID] {
        let apps = try await administer { () async throws(AdministrationError) in try await administration.apps() }
        return configuration.clients.union(apps.map(\.app.id)).sorted { $0.rawValue < $1.rawValue }
    }

    /// Returns the jumps of a list.
    ///
    /// - Parameters:
    ///   - path: The path of the list.
    ///   - kept: The filter.
    ///   - caption: The number of rows, the filter and the order.
    ///   - isFirst: Whether the page shown is the first.
    ///   - first: The text of the link to the first page.
    ///   - next: The text of the link to the next page, and its place; nil for the last page.
    ///   - hasLetters: Whether the rows are ordered by a text and not filtered by it.
    ///   - export: The path of the export.
    private func pages(
        _ path: ConsolePath, _ kept: [Fact], caption: String, isFirst: Bool, first: String = "First page",
        next: (text: String, place: [(name: String, value: String)])?, hasLetters: Bool = false,
        export: ConsolePath
    ) -> ListPages {
        let filter = kept.map { (name: $0.name, value: $0.value) }
        var jumps: [ConsolePage.Link] = []
        if !isFirst { jumps.append(.init(text: first, address: links.link(path, query: filter))) }
        if let next { jumps.append(.init(text: next.text, address: links.link(path, query: filter + next.place))) }
        let letters = hasLetters ? ListPages.letters : []
        return ListPages(
            caption: caption,
            letters: letters.map { letter in
                .init(text: letter.shown, address: links.link(path, query: filter + [("from", letter.text)]))
            },
            links: jumps, exportAction: links.link(export), exportFields: kept)
    }
}

extension String {
    /// The text with a capital letter at its beginning.
    var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// The values for the template of the user list.
private struct UsersContent {
    let search: String
    let prefix: String
    let empty: String
    let users: [ShownUser]
    let pages: ListPages
}

/// The values for the template of the device list.
private struct DevicesContent {
    let search: String
    let name: String
    let id: String
    let statuses: [FormChoice]
    let apps: [FormChoice]
    let empty: String
    let devices: [ListedDevice]
    let pages: ListPages
}

/// The values for the template of the transaction list.
private struct TransactionsContent {
    let search: String
    let user: String
    let until: String
    let states: [FormChoice]
    let transactions: [ListedTransaction]
    /// The address of the remote logins that wait.
    let waiting: String
    let pages: ListPages
}

/// The values for the template of the remote logins that wait.
private struct RemoteLoginsContent {
    let logins: [ListedRemoteLogin]
    let pages: ListPages
}

/// The values for the template of the audit log.
private struct AuditContent {
    let search: String
    let user: String
    let until: String
    let problem: String
    let kinds: [FormChoice]
    let eventCaption: String
    let events: [ShownEvent]
    let pages: ListPages
}

extension ConsoleLinks {
    /// Returns the address of the events of a user, or of all.
    func audit(of user: UserID? = nil) -> String {
        user.map { link(.audit, ("user", $0.rawValue)) } ?? link(.audit)
    }
}
