import NightlatchRelyingParty
import NightlatchWire

/// The values for the form that registers or changes an app.
struct AppFormContent: Sendable {
    let action: String
    let isNew: Bool
    let verb: String
    let back: String
    let problem: String?
    let id: String
    let revision: String
    let name: String
    let methods: [FormChoice]
    let keys: String
    let redirectURIs: String
    let logoutURIs: String
    let scope: String
    let isDPoPBound: Bool
    let bindsDevices: Bool
    let policies: [FormChoice]
    let accessTokenSeconds: String
    let refreshTokenSeconds: String

    /// The form with the members of `app`.
    init(_ app: App?, revision: Int?, links: ConsoleLinks) {
        var fields: [String: String] = [:]
        let shown = app ?? Self.newApp
        fields["id"] = app?.id.rawValue
        fields["revision"] = revision.map(String.init)
        fields["client_name"] = app?.name.rawValue
        fields["token_endpoint_auth_method"] = shown.authentication.method.rawValue
        if case .privateKey(let keys) = shown.authentication {
            fields["jwks"] = String(
                decoding: StrictJSON.bytes(of: AppKeys(keys: keys.keys.map(\.key))), as: UTF8.self)
        }
        fields["redirect_uris"] = Self.lines(shown.redirectURIs)
        fields["post_logout_redirect_uris"] = Self.lines(shown.logoutURIs)
        fields["scope"] = shown.scopes.map(\.rawValue).joined(separator: " ")
        if shown.tokenKind == .dpop { fields["dpop_bound_access_tokens"] = "true" }
        if shown.bindsDevices { fields["binds_devices"] = "true" }
        fields["device_policy"] = shown.devicePolicy?.rawValue
        fields["access_token_seconds"] = String(shown.accessTokenLife.components.seconds)
        fields["refresh_token_seconds"] = String(shown.refreshTokenLife?.components.seconds ?? 0)
        self.init(fields, problem: nil, links: links)
    }

    /// The form as an operator has sent it, and the reason why it was refused.
    init(_ fields: [String: String], problem: String?, links: ConsoleLinks) {
        isNew = fields["revision"] == nil
        id = fields["id"] ?? ""
        action = links.link(isNew ? .addApp : .changeApp)
        verb = isNew ? "Register app" : "Change app"
        back = isNew ? links.link(.apps) : links.link(.app, ("id", id))
        self.problem = problem
        revision = fields["revision"] ?? ""
        name = fields["client_name"] ?? ""
        methods = AppAuthentication.Method.allCases.map { method in
            FormChoice(
                value: method.rawValue, text: method.inWords,
                isChosen: method.rawValue == fields["token_endpoint_auth_method"])
        }
        keys = fields["jwks"] ?? ""
        redirectURIs = fields["redirect_uris"] ?? ""
        logoutURIs = fields["post_logout_redirect_uris"] ?? ""
        scope = fields["scope"] ?? ""
        isDPoPBound = fields["dpop_bound_access_tokens"] != nil
        bindsDevices = fields["binds_devices"] != nil
        let policy = fields["device_policy"] ?? ""
        policies = [
            FormChoice(value: "", text: "The server's policy", isChosen: policy == ""),
            FormChoice(
                value: DevicePolicy.many.rawValue, text: "Many devices", isChosen: policy == DevicePolicy.many.rawValue),
            FormChoice(
                value: DevicePolicy.one.rawValue, text: "One device: a new one replaces the others",
                isChosen: policy == DevicePolicy.one.rawValue),
        ]
        accessTokenSeconds = fields["access_token_seconds"] ?? ""
        refreshTokenSeconds = fields["refresh_token_seconds"] ?? ""
    }

    /// An app with the default of each member.
    private static let newApp: App = {
        guard let name = AppName(rawValue: "New") else { preconditionFailure("the text is a name") }
        return App(id: .default, name: name)
    }()

    private static func lines(_ addresses: [RedirectURI]) -> String {
        addresses.map(\.rawValue).joined(separator: "\n")
    }
}

extension AppTexts {
    /// The members of a form. A box that is not checked is missing in a form.
    init(_ fields: [String: String]) {
        self.init()
        name = fields["client_name"]
        method = fields["token_endpoint_auth_method"].flatMap(AppAuthentication.Method.init)
        keys = fields["jwks"].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        redirectURIs = Self.lines(fields["redirect_uris"])
        logoutURIs = Self.lines(fields["post_logout_redirect_uris"])
        scope = fields["scope"]
        isDPoPBound = fields["dpop_bound_access_tokens"] != nil
        bindsDevices = fields["binds_devices"] != nil
        devicePolicy = fields["device_policy"]
        accessTokenSeconds = fields["access_token_seconds"]
        refreshTokenSeconds = fields["refresh_token_seconds"]
    }

    private static func lines(_ text: String?) -> [String] {
        (text ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    }
}

extension AppAuthentication.Method {
    /// The method in lists and forms.
    var inWords: String {
        switch self {
        case .none: "None: a public app"
        case .secret: "A secret"
        case .privateKey: "A private key"
        }
    }
}
