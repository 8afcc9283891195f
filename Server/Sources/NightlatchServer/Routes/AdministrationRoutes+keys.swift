import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

extension AdministrationRoutes {
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
                    sealingBy: keyring, now: clock.now(), by: administration.because(message.reason).party)
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
