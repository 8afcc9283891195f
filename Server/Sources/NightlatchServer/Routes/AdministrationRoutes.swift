import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The routes by which operators' programs administer users, devices and keys: the verbs of `nightlatch admin` that do
/// not need the machine of the server.
///
/// A caller needs an API key with the route's scope. The audit log names the key as an operator, with the reason that
/// the request gives.
struct AdministrationRoutes {
    let store: any RelyingPartyStore
    let backend: BackendAccess
    let clock: WallClock
    let keyring: MasterKeyring

    func add(to routes: RouteGroup) {
        addUsers(to: routes)
        addUserData(to: routes)
        addDevices(to: routes)
        addJourneys(to: routes)
        addTransactions(to: routes)
        addPolicies(to: routes)
        addLog(to: routes)
        addKeys(to: routes)
    }

    /// Admits an operator's program, and returns the verbs that it may call now.
    ///
    /// - Parameter names: The fields that the query may have. Others are refused.
    func administration(
        _ request: Request, _ context: RelyingPartyRequestContext, _ scope: APIScope, query names: Set<String> = []
    ) async throws(Refusal) -> Administration {
        try await admitted(request, context, scope, query: names).administration
    }

    /// Same as ``administration(_:_:_:query:)``, with the scopes of the caller's key.
    func admitted(
        _ request: Request, _ context: RelyingPartyRequestContext, _ scope: APIScope, query names: Set<String> = []
    ) async throws(Refusal) -> (administration: Administration, scopes: Set<APIScope>) {
        let (party, scopes) = try await backend.admitOperator(request, context, for: scope)
        // A misspelt field of a filter must not return what the filter should leave out.
        if let other = try request.queryFields().keys.sorted().first(where: { !names.contains($0) }) {
            throw .malformed(detail: "This request has no field \(other.withEscapes) in its query.")
        }
        return (Administration(of: store, by: party), scopes)
    }
}

extension RelyingPartyRequestContext {
    /// Returns the body of an operator's request, which must have no unknown members.
    func operatorRequest<Message: OperatorRequest>(
        in request: Request, as type: Message.Type = Message.self
    ) throws -> Message {
        try message(of: request, as: ExactRequest<Message>.self).request
    }
}

/// Calls an operator's verb, and converts its error to a refusal of the request.
func administer<Value>(
    _ verb: () async throws(AdministrationError) -> Value
) async throws(Refusal) -> Value {
    do {
        return try await verb()
    } catch {
        throw Refusal(error)
    }
}

extension Refusal {
    fileprivate init(_ error: AdministrationError) {
        switch error {
        case .userUnknown, .deviceUnknown, .transactionUnknown, .appUnknown, .apiKeyUnknown, .operatorUnknown: self = .notFound
        case .deviceRevoked: self = .deviceEnded
        case .transactionEnded(let state): self = Refusal(ended: state) ?? .internalError
        case .appChanged: self = .appChanged
        case .tooManyApps: self = .tooManyApps
        case .apiKeyNameTaken: self = .apiKeyNameTaken
        case .tooManyAPIKeys: self = .tooManyAPIKeys
        case .apiKeyExpired: self = .expiryRefused
        case .apiKeyCreatorEnded: self = .backendKeyRefused
        case .apiKeyBeyondCreator: self = .apiKeyScopeMissing
        // No route administers webhooks.
        case .webhookUnknown, .webhookChanged, .tooManyWebhooks, .noWebhookSecret: self = .internalError
        // No route over HTTP changes operators.
        case .alreadyOperator, .operatorNameTaken, .tooManyOperators, .lastOwner: self = .internalError
        case .store(let error): self = .store(error)
        }
    }
}

/// A page of a list, or a whole list.
struct ReportPage<Entry: Encodable & Sendable>: Encodable, Sendable {
    let entries: [Entry]
    /// The `cursor` of the next page; nil on the last page.
    var next: String?
}

extension Request {
    /// Returns the field `name` of the query as `read` reads it; nil if it is missing.
    ///
    /// - Throws: `Refusal.malformed` if `read` returns nil.
    func queried<Value>(_ name: String, _ read: (String) -> Value?) throws(Refusal) -> Value? {
        guard let text = try queryFields()[name] else { return nil }
        guard let value = read(text) else { throw .malformed(detail: "The query has no valid \(name).") }
        return value
    }

    /// The length of the page that the query asks for.
    func queriedLimit() throws(Refusal) -> Int {
        let limit = try queried("limit") { text in
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } && text.utf8.first != 0x30 ? Int(text) : nil
        }
        guard let limit else { return Administration.defaultPageLength }
        guard Administration.pageLengths.contains(limit) else {
            throw .malformed(detail: "limit must be 1 to \(Administration.pageLengths.upperBound).")
        }
        return limit
    }
}
