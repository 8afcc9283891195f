import NightlatchWire

/// A registered app as operators and backends see it: the JSON of ``App`` without the hash of the secret, and with
/// `revision`.
package struct AppReport: Encodable, Sendable {
    private let stored: StoredApp
    private let secret: AppSecret?

    /// - Parameters:
    ///   - stored: The app.
    ///   - secret: A secret that was just made, in the member `client_secret`.
    package init(_ stored: StoredApp, secret: AppSecret? = nil) {
        self.stored = stored
        self.secret = secret
    }

    package func encode(to encoder: any Encoder) throws {
        try stored.app.encode(to: encoder, withSecretHash: false)
        var members = JSONObjectWriter(encoder)
        try members.addIfPresent("client_secret", secret)
        try members.add("revision", stored.revision)
    }
}

/// Registered apps in short, in the order of their ids.
package struct AppSummaryList: Encodable, Sendable {
    package let apps: [AppSummary]

    package init(_ stored: [StoredApp]) { apps = stored.map(AppSummary.init) }
}

/// A registered app in a list.
package struct AppSummary: Encodable, Sendable {
    private let stored: StoredApp

    package init(_ stored: StoredApp) { self.stored = stored }

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("binds_devices", stored.app.bindsDevices)
        try members.add("client_id", stored.app.id)
        try members.add("client_name", stored.app.name)
        try members.add("dpop_bound_access_tokens", stored.app.tokenKind == .dpop)
        try members.add("revision", stored.revision)
        try members.add("token_endpoint_auth_method", stored.app.authentication.method)
    }
}
