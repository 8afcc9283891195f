import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchRelyingParty
import NightlatchWire

/// A web shop whose users log in with their phones: a client of OpenID Connect with PKCE and without a secret
/// ([OpenID Connect Core 1.0](https://openid.net/specs/openid-connect-core-1_0.html)).
struct DemoShop: Sendable {
    static let client: ClientID = "shop"
    static let name: AppName = "The Shop"
    /// The relying party's authorization endpoint.
    static let authorizationPath = "/oauth/authorize"

    let issuer: Issuer
    /// The address to which the relying party sends the browser back.
    let redirect: RedirectURI
    private let transport = URLSessionTransport()

    init(issuer: Issuer, redirect: RedirectURI) {
        self.issuer = issuer
        self.redirect = redirect
    }

    /// The app that an operator registers at the relying party.
    var app: App { App(id: Self.client, name: Self.name, redirectURIs: [redirect]) }

    /// A login that a browser has begun. The shop keeps it until the browser comes back.
    struct Attempt: Sendable {
        /// Shows that an answer belongs to this attempt, and to the browser that began it.
        let state = PageSecret()
        let nonce = Challenge.random().rawValue
        /// The secret of PKCE ([RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)).
        let verifier = Challenge.random().rawValue
    }

    /// Returns the address at which the browser logs in. The user is asked even if the browser is already logged in.
    func address(of attempt: Attempt, user: UserID) throws(ShopFailure) -> URL {
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Data(attempt.verifier.utf8))))
        let query = Self.form([
            "client_id": Self.client.rawValue, "response_type": "code", "scope": "openid",
            "redirect_uri": redirect.rawValue, "state": attempt.state.text, "nonce": attempt.nonce, "prompt": "login",
            "login_hint": user.rawValue, "code_challenge": challenge, "code_challenge_method": "S256",
        ])
        guard let url = issuer.url(path: Self.authorizationPath + "?" + query) else { throw ShopFailure("no address") }
        return url
    }

    /// Exchanges the code of an answer for an ID token, and verifies the token.
    func logIn(with code: String, of attempt: Attempt) async throws -> VerifiedIDToken {
        guard let url = issuer.url(path: Route.token.path) else { throw ShopFailure("no address") }
        let form = Self.form([
            "grant_type": "authorization_code", "client_id": Self.client.rawValue, "code": code,
            "redirect_uri": redirect.rawValue, "code_verifier": attempt.verifier,
        ])
        let response = try await transport.send(
            HTTPTransportRequest(
                method: "POST", url: url, headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Data(form.utf8)))
        guard response.status == 200,
            let token = try StrictJSON.decode(JSONValue.self, from: response.body)["id_token"]?.string
        else { throw ShopFailure("the server gave no ID token for the code") }
        let keys = try await HTTPRelyingParty(issuer: issuer).signingKeys().keys.map(\.key)
        return try VerifiedIDToken(token, by: keys, of: issuer, nonce: attempt.nonce, now: NumericDate(Date()))
    }

    private static func form(_ fields: KeyValuePairs<String, String>) -> String {
        fields.map { "\($0.key)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }
}
