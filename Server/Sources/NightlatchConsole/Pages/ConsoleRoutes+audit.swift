import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    func addAudit(to routes: RouteGroup) {
        page(.audit, on: routes) { request throws(ConsoleRefusal) in
            let user: UserID? = request.text("user") == nil ? nil : try request.identifier("user")
            let position = try request.text("before").map { text throws(ConsoleRefusal) in
                guard let position = AuditPosition(text) else { throw .refused(.malformedRequest) }
                return position
            }
            let page = try await administer { () async throws(AdministrationError) in
                try await administration.auditEntries(of: user, before: position)
            }
            return ConsolePage(
                template: .audit, title: user.map { "Audit of \($0)" } ?? "Audit", section: .audit,
                content: AuditContent(
                    search: links.link(.audit), user: user?.rawValue ?? "",
                    newest: position == nil ? nil : links.audit(of: user),
                    older: page.next.map { links.audit(of: user, before: $0) },
                    eventCaption: position == nil ? "Newest first" : "Newest first, older than the previous page",
                    events: page.elements.map { ShownEvent($0, links: links) }))
        }
    }
}

/// The values for the template of the audit log.
private struct AuditContent {
    let search: String
    let user: String
    let newest: String?
    let older: String?
    let eventCaption: String
    let events: [ShownEvent]
}

extension ConsoleLinks {
    /// Returns the address of a page of the audit log.
    ///
    /// - Parameters:
    ///   - user: The user; nil for all users.
    ///   - position: The end of the previous page; nil for a page that begins with the newest entry.
    func audit(of user: UserID? = nil, before position: AuditPosition? = nil) -> String {
        switch (user, position) {
        case (nil, nil): link(.audit)
        case (let user?, nil): link(.audit, ("user", user.rawValue))
        case (nil, let position?): link(.audit, ("before", position.description))
        case (let user?, let position?): link(.audit, ("user", user.rawValue), ("before", position.description))
        }
    }
}
