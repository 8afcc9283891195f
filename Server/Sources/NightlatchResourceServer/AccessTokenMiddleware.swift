import Foundation
import HTTPTypes
public import Hummingbird
import Logging
import NightlatchTokenVerification
package import NightlatchWire

/// Authenticates requests by an access token of a relying party and a DPoP proof, and passes the verified token to the
/// route (``AccessTokenRequestContext/accessToken``).
///
/// It refuses all other requests, as RFC 6750 and RFC 9449 specify.
///
/// ```swift
/// let configuration = ResourceServerConfiguration(relyingParty: relyingParty, server: server)
/// let router = Router(context: APIContext.self)
/// router.add(middleware: AccessTokenMiddleware(configuration, keys: HTTPRelyingParty(issuer: relyingParty)))
/// router.get("accounts") { _, context in
///     accounts(of: context.accessToken?.claims.subject)
/// }
/// ```
///
/// The middleware verifies tokens locally, with the relying party's published keys. A device that was revoked, or whose
/// login was ended, therefore has access until its token expires: by default five minutes after the token was issued.
/// If that is too long, the route can ask the relying party (`/oauth/introspect`).
public struct AccessTokenMiddleware<Context: AccessTokenRequestContext>: RouterMiddleware {
    private let configuration: ResourceServerConfiguration
    private let keys: PublishedKeys
    private let proofs: DPoPVerifier
    private let now: @Sendable () -> NumericDate

    /// - Parameters:
    ///   - configuration: The relying party, and the server that its tokens are for.
    ///   - keys: The source of the relying party's keys. They are fetched with the first request, and cached.
    public init(_ configuration: ResourceServerConfiguration, keys: some SigningKeySource) {
        self.init(configuration, keys: PublishedKeys(source: keys), now: { NumericDate(Date()) })
    }

    package init(
        _ configuration: ResourceServerConfiguration,
        keys: PublishedKeys,
        now: @escaping @Sendable () -> NumericDate
    ) {
        self.configuration = configuration
        self.keys = keys
        proofs = DPoPVerifier(server: configuration.server, nonces: configuration.nonces)
        self.now = now
    }

    public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        var response: Response
        do throws(AccessRefusal) {
            context.accessToken = try await admit(request)
        } catch {
            context.logger.info("Refused a request", metadata: ["reason": .string(Self.reason(of: error))])
            response = error.response
            setNonce(of: &response)
            return response
        }
        response = try await next(request, context)
        setNonce(of: &response)
        return response
    }

    private func setNonce(of response: inout Response) {
        guard let nonces = configuration.nonces, let name = HTTPField.Name("DPoP-Nonce") else { return }
        response.headers[name] = nonces.nonce(at: now()).rawValue
    }

    /// Authenticates a request:
    ///
    /// 1. There is one `Authorization` header, and it contains a token with the DPoP scheme.
    /// 2. The relying party's keys are available.
    /// 3. The token is valid (``AccessTokenVerifier``).
    /// 4. The request has one proof, for this request and this token, by the key of `cnf.jkt` (``DPoPVerifier``).
    private func admit(_ request: Request) async throws(AccessRefusal) -> VerifiedAccessToken {
        let token = try Self.token(of: request)
        guard let published = await keys.keys(for: Self.keyID(of: token)) else { throw .keysUnavailable }
        let verifier = AccessTokenVerifier(
            relyingParty: configuration.relyingParty, audience: configuration.audience, clients: configuration.clients,
            keys: published)
        let time = now()
        let verified: VerifiedAccessToken
        do {
            verified = try verifier.verify(token, now: time)
        } catch {
            throw .token(error)
        }
        let expectation = DPoPVerifier.Expectation(
            method: request.method.rawValue, path: request.uri.path, accessToken: token,
            key: verified.claims.confirmation.possessionKey)
        do {
            _ = try proofs.verify(Self.proofs(of: request), expecting: expectation, now: time)
        } catch {
            throw .proof(error)
        }
        return verified
    }

    private static func token(of request: Request) throws(AccessRefusal) -> AccessToken {
        let values = request.headers[values: .authorization]
        guard values.count <= 1 else { throw .ambiguous }
        let parts = values.first?.split(separator: " ", maxSplits: 1) ?? []
        switch parts.first?.lowercased() {
        case "dpop":
            guard parts.count == 2,
                let token = AccessToken(rawValue: parts[1].trimmingCharacters(in: .whitespaces))
            else { throw .token(.missing) }
            return token
        case "bearer": throw .bearer
        default: throw .noToken
        }
    }

    private static func proofs(of request: Request) -> [String] {
        HTTPField.Name("DPoP").map { request.headers[values: $0] } ?? []
    }

    /// Returns the key that the token names. The token is not verified yet, so this key only determines whether to
    /// fetch newer keys.
    private static func keyID(of token: AccessToken) -> KeyID? {
        do {
            return try CompactJWS(token.rawValue).header.keyID
        } catch {
            return nil
        }
    }

    /// Returns the name of the case without its associated value, which may contain text of the request.
    private static func reason(of refusal: AccessRefusal) -> String {
        switch refusal {
        case .token(let refusal): "token " + String(describing: refusal).prefix { $0 != "(" }
        case .proof(let refusal): "proof " + String(describing: refusal).prefix { $0 != "(" }
        default: String(describing: refusal)
        }
    }
}
