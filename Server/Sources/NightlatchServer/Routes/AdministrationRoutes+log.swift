import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

extension AdministrationRoutes {
    /// The audit log, and the figures about it.
    func addLog(to routes: RouteGroup) {
        routes.serve(.administeredAuditEntries) { request, context in
            let administration = try await administration(
                request, context, .auditRead, query: ["user", "event", "problem", "until", "cursor", "limit"])
            let filter = AuditFilter(
                user: try request.queried("user") { UserID(rawValue: $0) },
                kind: try request.queried("event", AuditEvent.Kind.init(rawValue:)),
                problem: try request.queried("problem", Self.problem),
                until: try request.queried("until", Self.time))
            let cursor = try request.queried("cursor", AuditPosition.init(cursor:))
            let limit = try request.queriedLimit()
            let found = try await administer { () async throws(AdministrationError) in
                try await administration.auditEntries(matching: filter, before: cursor, pageLength: limit)
            }
            return ReportPage(entries: found.elements, next: found.next?.description)
        }
        routes.serve(.administeredOverview) { request, context in
            let administration = try await administration(request, context, .overviewRead)
            return try await administer { () async throws(AdministrationError) in
                OverviewReport(try await administration.overview(entryCount: 1))
            }
        }
    }

    /// Returns the cause that `text` names; nil if it is no code.
    private static func problem(_ text: String) -> ProblemCode? {
        let isCode =
            (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 }
        return isCode ? ProblemCode(rawValue: text) : nil
    }

    /// Returns the time that `text` names in seconds since 1970, up to the year 9999; nil if it is none.
    private static func time(_ text: String) -> NumericDate? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text == "0" || text.utf8.first != 0x30,
            let seconds = Int(text), (0...253_402_300_799).contains(seconds)
        else { return nil }
        return NumericDate(secondsSince1970: seconds)
    }
}

extension AuditPosition {
    /// Parses the cursor of a page of entries; returns nil for a text that no page contains.
    fileprivate init?(cursor text: String) {
        guard let position = Self(text), position.description == text, position.at.isOfCursor,
            (1..<10_000_000_000_000_000).contains(position.sequence)
        else { return nil }
        self = position
    }
}
