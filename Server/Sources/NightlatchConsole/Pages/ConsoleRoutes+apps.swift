import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    func addApps(to routes: RouteGroup) {
        page(.apps, on: routes) { request throws(ConsoleRefusal) in
            let apps = try await administer { () async throws(AdministrationError) in try await administration.apps() }
            return ConsolePage(
                template: .apps, title: "Apps", section: .apps,
                content: AppsContent(
                    apps: apps.map { ShownApp($0, links: links) },
                    registration: request.caller.mayOpen(.addApp) ? links.link(.addApp) : nil))
        }
        page(.app, on: routes) { request throws(ConsoleRefusal) in shown(try await app(of: request), to: request.caller) }
        page(.addApp, on: routes) { _ throws(ConsoleRefusal) in
            form(AppFormContent(nil, revision: nil, links: links))
        }
        page(.changeApp, on: routes) { request throws(ConsoleRefusal) in
            let stored = try await app(of: request)
            return form(AppFormContent(stored.app, revision: stored.revision, links: links))
        }
        action(.addApp, on: routes) { request throws(ConsoleRefusal) in
            var fields = request.fields.fields
            // A revision would make it a change.
            fields["revision"] = nil
            guard let id = ClientID(rawValue: fields["id"] ?? "") else {
                return .page(form(fields, problem: "App id must be \(ClientIDRule.requirement)."))
            }
            guard let name = AppName(rawValue: fields["client_name"] ?? "") else {
                return .page(form(fields, problem: "Name must be \(AppNameRule.requirement)."))
            }
            return try await put(request, fields, over: App(id: id, name: name), replacing: nil)
        }
        action(.changeApp, on: routes) { request throws(ConsoleRefusal) in
            guard let revision = request.fields.fields["revision"].flatMap({ Int($0) }) else {
                throw .refused(.malformedRequest)
            }
            return try await put(request, request.fields.fields, over: try await app(of: request).app, replacing: revision)
        }
        page(.removeApp, on: routes) { request throws(ConsoleRefusal) in removal(of: try await app(of: request).app) }
        action(.removeApp, on: routes) { request throws(ConsoleRefusal) in
            let id: ClientID = try request.identifier("id")
            let administration = administration(of: request, because: try request.reason())
            try await administer { () async throws(AdministrationError) in try await administration.removeApp(id) }
            await registry.reload(now: clock.now())
            return .done(at: links.link(.apps, (ConsoleMessage.field, ConsoleMessage.appRemoved.rawValue)))
        }
    }

    /// Registers or changes an app with the members of a form.
    private func put(
        _ request: ConsoleRequest, _ fields: [String: String], over app: App, replacing revision: Int?
    ) async throws(ConsoleRefusal) -> ActionEnd {
        let changed: App
        do {
            changed = try AppTexts(fields).applied(to: app)
        } catch {
            return .page(form(fields, problem: error.description))
        }
        let put = AppRequest(changed, replacing: revision, renewsSecret: fields["new_secret"] != nil)
        let stored: StoredApp
        let secret: AppSecret?
        do {
            (stored, secret) = try await administration(of: request).put(put)
        } catch {
            // The operator keeps the typed texts, to compare them with the current app.
            guard case .appChanged = error else { throw ConsoleRefusal(error) }
            return .page(form(fields, problem: ConsoleRefusal(error).sentence))
        }
        await registry.reload(now: clock.now())
        // A secret must not be in an address, so this answer shows it. A reload sends the form again, which is refused.
        if secret != nil { return .page(shown(stored, secret: secret, to: request.caller)) }
        let message: ConsoleMessage = revision == nil ? .appRegistered : .appChanged
        return .done(
            at: links.link(.app, ("id", app.id.rawValue), (ConsoleMessage.field, message.rawValue)))
    }

    private func app(of request: ConsoleRequest) async throws(ConsoleRefusal) -> StoredApp {
        let id: ClientID = try request.identifier("id")
        return try await administer { () async throws(AdministrationError) in try await administration.app(id) }
    }

    private var parents: [ConsolePage.Link] { [.init(text: "Apps", address: links.link(.apps))] }

    private func shown(_ stored: StoredApp, secret: AppSecret? = nil, to caller: ConsoleCaller) -> ConsolePage {
        ConsolePage(
            template: .app, title: stored.app.name.rawValue, section: .apps, parents: parents,
            content: AppContent(
                facts: stored.facts.map { Fact($0.name, $0.value) }, secret: secret?.rawValue,
                change: caller.mayOpen(.changeApp) ? links.app(stored.app.id, page: .changeApp) : nil,
                policy: links.policy(of: .app(stored.app.id)),
                removal: caller.mayOpen(.removeApp) ? links.app(stored.app.id, page: .removeApp) : nil)
        )
    }

    private func form(_ fields: [String: String], problem: String) -> ConsolePage {
        form(AppFormContent(fields, problem: problem, links: links))
    }

    private func form(_ content: AppFormContent) -> ConsolePage {
        ConsolePage(
            template: .appForm, title: content.isNew ? "Register an app" : "Change this app", section: .apps,
            parents: content.isNew ? parents : parents + [.init(text: content.id, address: content.back)],
            status: content.problem == nil ? .ok : .unprocessableContent, content: content)
    }

    private func removal(of app: App) -> ConsolePage {
        ConsolePage(
            template: .confirmation, title: "Remove this app?", section: .apps,
            parents: parents + [.init(text: app.name.rawValue, address: links.app(app.id))],
            content: ConfirmationContent(
                facts: [Fact("App", app.name.rawValue), Fact("App id", app.id.rawValue)],
                effects: [
                    "Its refresh tokens end at once, its access tokens within an hour. Users can no longer log in to it.",
                    "Devices that it has bound stay bound, but cannot log in until the id is registered again.",
                ],
                action: links.link(.removeApp), fields: [Fact("id", app.id.rawValue)], verb: "Remove app",
                isGrave: true, back: links.app(app.id)))
    }
}

/// The values for the template of the list of apps.
private struct AppsContent {
    let apps: [ShownApp]
    let registration: String?
}

private struct ShownApp {
    let id: String
    let name: String
    let address: String
    let authentication: String
    let tokens: String
    let devices: String

    init(_ stored: StoredApp, links: ConsoleLinks) {
        let app = stored.app
        id = app.id.rawValue
        name = app.name.rawValue
        address = links.app(app.id)
        authentication = app.authentication.method.inWords
        tokens = app.tokenKind == .dpop ? "bound to a key" : "bearer"
        devices = app.bindsDevices ? "may use it" : "–"
    }
}

/// The values for the template of an app.
private struct AppContent {
    let facts: [Fact]
    let secret: String?
    let change: String?
    let policy: String
    let removal: String?
}
