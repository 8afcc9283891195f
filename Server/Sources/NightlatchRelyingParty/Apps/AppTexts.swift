import NightlatchWire

/// The members of an app as an operator types them. A nil member is not changed.
package struct AppTexts: Sendable {
    package var name: String?
    package var method: AppAuthentication.Method?
    /// A set of keys in JSON, for an app that authenticates with them.
    package var keys: String?
    package var redirectURIs: [String]?
    package var logoutURIs: [String]?
    /// Words, separated by spaces.
    package var scope: String?
    package var isDPoPBound: Bool?
    package var bindsDevices: Bool?
    package var accessTokenSeconds: String?
    /// 0 for no refresh token.
    package var refreshTokenSeconds: String?
    /// Empty for the server's policy.
    package var devicePolicy: String?

    package init() {}

    /// The reason why a text is no value of its member, as a sentence.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        fileprivate init(_ member: String, _ rule: String) { description = "\(member) \(rule)." }
    }

    /// Returns `app` with the members of these texts.
    ///
    /// If the change makes the app authenticate with a secret, the stored hash is a placeholder: ``AppRequest`` makes
    /// the secret.
    package func applied(to app: App) throws(Fault) -> App {
        var app = app
        if let name { app.name = try Self.identifier(name, "client_name") }
        try authenticate(&app)
        if let redirectURIs {
            app.redirectURIs = try Self.addresses(redirectURIs, "redirect_uris")
        }
        if let logoutURIs {
            app.logoutURIs = try Self.addresses(logoutURIs, "post_logout_redirect_uris")
        }
        if let scope {
            app.scopes = try scope.split(separator: " ").map { word throws(Fault) in
                try Self.identifier(String(word), "scope")
            }
        }
        if let isDPoPBound { app.tokenKind = isDPoPBound ? .dpop : .bearer }
        if let bindsDevices { app.bindsDevices = bindsDevices }
        if let accessTokenSeconds {
            app.accessTokenLife = .seconds(try Self.number(accessTokenSeconds, "access_token_seconds"))
        }
        if let refreshTokenSeconds {
            let seconds = try Self.number(refreshTokenSeconds, "refresh_token_seconds")
            app.refreshTokenLife = seconds == 0 ? nil : .seconds(seconds)
        }
        if let devicePolicy { app.devicePolicy = try Self.policy(devicePolicy) }
        if let problem = app.problem { throw Fault("The app", problem) }
        return app
    }

    private func authenticate(_ app: inout App) throws(Fault) {
        switch method ?? app.authentication.method {
        case .none: app.authentication = .none
        case .secret:
            if app.authentication.method != .secret { app.authentication = .secret(AppSecret.random().hash) }
        case .privateKey:
            if let keys { return app.authentication = .privateKey(try Self.keys(keys)) }
            guard app.authentication.method == .privateKey else { throw Fault("jwks", "is missing") }
        }
        if keys?.isEmpty == false { throw Fault("jwks", "is only for an app that authenticates with keys") }
    }

    private static func keys(_ text: String) throws(Fault) -> JWKSet {
        do throws(MessageFault) {
            return JWKSet(keys: try StrictJSON.read(AppKeys.self, from: Array(text.utf8)).keys)
        } catch {
            throw Fault(error.member.isEmpty ? "jwks" : "jwks: " + error.member, error.rule)
        }
    }

    private static func addresses(_ texts: [String], _ member: String) throws(Fault) -> [RedirectURI] {
        try texts.map { text throws(Fault) in
            guard let uri = RedirectURI(rawValue: text) else {
                throw Fault("“\(text.withEscapes)” in \(member)", "must be \(RedirectURIRule.requirement)")
            }
            return uri
        }
    }

    private static func policy(_ text: String) throws(Fault) -> DevicePolicy? {
        if text.isEmpty { return nil }
        guard let policy = DevicePolicy(rawValue: text) else {
            throw Fault("device_policy", "must be many, one, or empty for the server’s policy")
        }
        return policy
    }

    private static func number(_ text: String, _ member: String) throws(Fault) -> Int {
        guard let number = Int(text) else { throw Fault(member, "must be a whole number") }
        return number
    }

    private static func identifier<Rule>(_ text: String, _ member: String) throws(Fault) -> Identifier<Rule> {
        guard let identifier = Identifier<Rule>(rawValue: text) else {
            throw Fault(member, "must be \(Rule.requirement)")
        }
        return identifier
    }
}
