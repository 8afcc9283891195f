import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

extension AdministrationRoutes {
    func addJourneys(to routes: RouteGroup) {
        routes.serve(.administeredJourneyKeys) { request, context in
            let administration = try await administration(request, context, .devicesRead, query: ["user"])
            let user = try request.queriedUser()
            return try await administer { () async throws(AdministrationError) in
                ReportPage(entries: try await administration.journeyDevices(of: user).map(JourneyKeyReport.init))
            }
        }
        routes.serve(.administerJourneyKeyName) { request, context in
            let administration = try await administration(request, context, .devicesWrite)
            let message: JourneyKeyNameRequest = try context.operatorRequest(in: request)
            return try await administer { () async throws(AdministrationError) in
                JourneyKeyReport(try await administration.rename(message.key, of: message.user, to: message.name))
            }
        }
        routes.serve(.removeJourneyKey) { request, context in
            let administration = try await administration(request, context, .devicesRevoke)
            let message: JourneyKeyRemovalRequest = try context.operatorRequest(in: request)
            return try await administer { () async throws(AdministrationError) in
                JourneyKeyReport(
                    try await administration.because(message.reason).remove(message.key, of: message.user))
            }
        }
        routes.serve(.administeredJourneySessions) { request, context in
            let administration = try await administration(request, context, .devicesRead, query: ["user"])
            let user = try request.queriedUser()
            return try await administer { () async throws(AdministrationError) in
                ReportPage(
                    entries: try await administration.journeySessions(of: user).map(JourneySessionReport.init))
            }
        }
        routes.serve(.endJourneySessions) { request, context in
            let administration = try await administration(request, context, .sessionsEnd)
            let message: JustifiedUserRequest = try context.operatorRequest(in: request)
            return try await administer { () async throws(AdministrationError) in
                EndedSessions(
                    ended: try await administration.because(message.reason).endJourneySessions(of: message.user))
            }
        }
    }

    func addTransactions(to routes: RouteGroup) {
        routes.serve(.administeredTransactions) { request, context in
            let administration = try await administration(
                request, context, .adminTransactionsRead, query: ["state", "user", "cursor", "limit"])
            let filter = TransactionFilter(
                state: try request.queried("state", TransactionState.init(rawValue:)),
                user: try request.queried("user") { UserID(rawValue: $0) })
            let cursor = try request.queried("cursor", TimePosition.init(cursor:))
            let limit = try request.queriedLimit()
            let found = try await administer { () async throws(AdministrationError) in
                try await administration.transactions(matching: filter, before: cursor, pageLength: limit)
            }
            return ReportPage(
                entries: found.elements.map { TransactionReport($0, withProof: false) },
                next: found.next?.description)
        }
        routes.serve(.administerTransactionVoiding) { request, context in
            let administration = try await administration(request, context, .adminTransactionsWrite)
            let (id, message) = (
                try context.transactionID(), try context.operatorRequest(in: request, as: JustifiedRequest.self)
            )
            return try await administer { () async throws(AdministrationError) in
                TransactionReport(try await administration.because(message.reason).void(id))
            }
        }
    }

    /// The replacement of policies. Backends' routes read them.
    func addPolicies(to routes: RouteGroup) {
        routes.serve(.replaceAppPolicy) { request, context in
            let administration = try await administration(request, context, .adminPoliciesWrite)
            let message: AppPolicyReplacement = try context.operatorRequest(in: request)
            return try await administration.replace(message.revision, by: message.policy, of: .app(message.app))
        }
        routes.serve(.replaceUserPolicy) { request, context in
            let administration = try await administration(request, context, .adminPoliciesWrite)
            let message: UserPolicyReplacement = try context.operatorRequest(in: request)
            return try await administration.replace(message.revision, by: message.policy, of: .user(message.user))
        }
    }
}

extension Administration {
    fileprivate func replace(
        _ revision: PolicyRevision, by policy: Policy, of subject: PolicySubject
    ) async throws(Refusal) -> PolicyReport {
        let outcome = try await administer { () async throws(AdministrationError) in
            try await setPolicy(policy, of: subject, replacing: revision)
        }
        switch outcome {
        case .stored(let stored): return PolicyReport(stored, of: subject)
        case .changed: throw .policyChanged
        case .noSuchUser: throw .notFound
        }
    }
}

/// The number of sessions that a request ended.
private struct EndedSessions: Encodable, Sendable {
    let ended: Int
}

extension TimePosition {
    /// Parses the cursor of a page of transactions; returns nil for a text that no page contains.
    fileprivate init?(cursor text: String) {
        guard let position = Self(text), position.description == text, position.at.isOfCursor,
            TransactionID(rawValue: position.id) != nil
        else { return nil }
        self = position
    }
}

extension NumericDate {
    /// Whether a cursor can have this time: one of at most 11 digits.
    var isOfCursor: Bool { (0..<100_000_000_000).contains(secondsSince1970) }
}
