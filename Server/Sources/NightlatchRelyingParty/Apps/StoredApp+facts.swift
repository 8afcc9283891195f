import NightlatchWire

extension StoredApp {
    /// The members as texts for people, under their names in JSON. A list has one line for each element.
    package var facts: [(name: String, value: String)] {
        var facts: [(name: String, value: String)] = [
            ("client_id", app.id.rawValue), ("client_name", app.name.rawValue),
            ("token_endpoint_auth_method", app.authentication.method.rawValue),
        ]
        if case .privateKey(let keys) = app.authentication {
            facts += keys.keys.map { ("jwks", $0.key.thumbprint.rawValue) }
        }
        facts += app.redirectURIs.map { ("redirect_uris", $0.rawValue) }
        facts += app.logoutURIs.map { ("post_logout_redirect_uris", $0.rawValue) }
        return facts + [
            ("scope", app.scopes.text),
            ("dpop_bound_access_tokens", String(app.tokenKind == .dpop)),
            ("binds_devices", String(app.bindsDevices)),
            ("access_token_seconds", String(app.accessTokenLife.components.seconds)),
            ("refresh_token_seconds", String(app.refreshTokenLife?.components.seconds ?? 0)),
            ("device_policy", app.devicePolicy?.rawValue ?? "of the server"),
            ("revision", String(revision)),
        ]
    }
}
