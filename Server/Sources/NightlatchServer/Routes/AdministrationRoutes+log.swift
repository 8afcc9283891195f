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

    /// API keys, and the keys that sign access tokens.
    func addKeys(to routes: RouteGroup) {
        routes.serve(.apiKeys) { request, context in
            let administration = try await administration(request, context, .keysRead)
            let now = clock.now()
            return try await administer { () async throws(AdministrationError) in
                ReportPage(entries: try await administration.apiKeys().map { APIKeyReport($0, at: now) })
            }
        }
        routes.serve(.createAPIKey) { request, context in
            let administration = try await administration(request, context, .keysWrite)
            let message: APIKeyRequest = try context.operatorRequest(in: request)
            let created = try await administer { () async throws(AdministrationError) in
                try await administration.createAPIKey(
                    message.name, scopes: message.scopes, expiresAt: message.expiresAt)
            }
            return APIKeyReport(created.key, at: clock.now(), token: created.token)
        }
        routes.serve(.revokeAPIKey) { request, context in
            let administration = try await administration(request, context, .keysWrite)
            guard let id = context.parameters.get("key").flatMap(APIKeyID.init) else { throw Refusal.notFound }
            let message: JustifiedRequest = try context.operatorRequest(in: request)
            return try await administer { () async throws(AdministrationError) in
                APIKeyReport(
                    try await administration.because(message.reason).revokeAPIKey(id), at: clock.now())
            }
        }
        routes.serve(.rotateSigningKey) { request, context in
            let administration = try await administration(request, context, .signingKeysRotate)
            let message: JustifiedRequest = try context.operatorRequest(in: request)
            do throws(SigningKeyRotationError) {
                let key = try await store.rotateSigningKey(
                    under: masterKey, now: clock.now(), by: administration.because(message.reason).party)
                return RotatedSigningKey(kid: key.id, activeFrom: key.activeFrom)
            } catch {
                switch error {
                case .store(let error): throw Refusal.store(error)
                case .masterKeyDoesNotFit, .noKey, .noSigningKey: throw Refusal.internalError
                }
            }
        }
    }
}

/// The key that signs from a time on.
private struct RotatedSigningKey: Encodable, Sendable {
    let kid: KeyID
    let activeFrom: NumericDate

    private enum CodingKeys: String, CodingKey {
        case kid
        case activeFrom = "active_from"
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
