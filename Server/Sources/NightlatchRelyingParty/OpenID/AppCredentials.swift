import Foundation
import NightlatchTokenVerification
package import NightlatchWire

/// The credentials of a request by an app's server
/// ([RFC 6749, section 2.3](https://www.rfc-editor.org/rfc/rfc6749#section-2.3)).
package enum AppCredentials: Hashable, Sendable {
    /// The app only names itself.
    case none(ClientID)
    case secret(ClientID, String)
    /// A signed assertion ([RFC 7523, section 2.2](https://www.rfc-editor.org/rfc/rfc7523#section-2.2)).
    case assertion(ClientAssertion)

    private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// Reads the credentials of a form and of the `Authorization` header.
    ///
    /// - Parameters:
    ///   - fields: The form.
    ///   - basic: The credentials of the scheme Basic; nil if there are none.
    /// - Throws: ``Refusal`` `appUnknown` if no app is named; `appAuthenticationRefused` if two methods are used or if
    ///   the header and the form name different apps.
    package init(fields: [String: String], basic: String?) throws(Refusal) {
        let named = fields["client_id"].flatMap(ClientID.init)
        if let basic {
            guard fields["client_assertion"] == nil, fields["client_secret"] == nil,
                let (id, secret) = Self.pair(basic), named == nil || named == id
            else { throw .appAuthenticationRefused }
            // Some libraries send an empty password for an app without a secret.
            self = secret.isEmpty ? .none(id) : .secret(id, secret)
            return
        }
        guard fields["client_secret"] == nil else { throw .appAuthenticationRefused }
        if let assertion = fields["client_assertion"] {
            guard fields["client_assertion_type"] == Self.assertionType,
                let assertion = ClientAssertion(assertion), named == nil || named == assertion.subject
            else { throw .appAuthenticationRefused }
            self = .assertion(assertion)
            return
        }
        guard let named else { throw .appUnknown }
        self = .none(named)
    }

    var client: ClientID {
        switch self {
        case .none(let id), .secret(let id, _): id
        case .assertion(let assertion): assertion.subject
        }
    }

    /// The id and the secret, each form-encoded
    /// ([RFC 6749, section 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1)).
    private static func pair(_ basic: String) -> (ClientID, String)? {
        guard basic.utf8.count <= 1024, let bytes = Data(base64Encoded: basic),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":"),
            let id = String(text[..<colon]).removingPercentEncoding.flatMap(ClientID.init),
            let secret = String(text[text.index(after: colon)...]).removingPercentEncoding
        else { return nil }
        return (id, secret)
    }
}

/// Authenticates apps at the token, revocation, introspection and pushed authorization endpoints.
package struct AppAuthenticator: Sendable {
    private let context: AppContext

    package init(in context: AppContext) { self.context = context }

    /// Returns the app of `credentials`. It must use the method that it is registered with.
    ///
    /// - Parameters:
    ///   - credentials: The credentials.
    ///   - path: The path of the request. An assertion may be for this address, for the token endpoint or for the
    ///     issuer: libraries differ ([RFC 9126, section 2](https://www.rfc-editor.org/rfc/rfc9126#section-2)).
    /// - Throws: ``Refusal`` `appUnknown` or `appAuthenticationRefused`: the app's configuration is wrong.
    package func authenticate(_ credentials: AppCredentials, at path: String) async throws(Refusal) -> App {
        let now = context.clock.now()
        let found = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.apps.app(credentials.client, now: now)
        }
        guard let app = found else {
            if case .none = credentials { throw .appUnknown }
            throw .appAuthenticationRefused
        }
        switch (credentials, app.authentication) {
        case (.none, .none): break
        case (.secret(_, let secret), .secret(let hash)):
            // Only hashes are compared: the time reveals nothing about a secret of 32 random bytes.
            guard AppSecretHash(of: secret) == hash else { throw .appAuthenticationRefused }
        case (.assertion(let assertion), .privateKey(let keys)):
            let audiences = ["", Route.token.path, path].map { context.issuer.rawValue + $0 }
            guard assertion.isValid(with: keys, for: audiences, now: now) else { throw .appAuthenticationRefused }
            let step = JourneyStep(use: nil, messages: [assertion.use])
            let outcome = try await answer { () async throws(RelyingPartyStoreError) in
                try await context.store.recordJourneyStep(step)
            }
            guard outcome == .recorded else { throw .appAuthenticationRefused }
        default: throw .appAuthenticationRefused
        }
        return app
    }
}
