import ArgumentParser
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin apps add`
struct AddAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Register an app.",
        discussion: """
            Without --secret and --jwks it is a public app, such as an app on a phone: it has no credentials, and proves \
            with PKCE that it asked for the code.
            """)

    @OptionGroup var options: AppOptions

    @Option(help: "The name that users see. (default: the id)")
    var clientName: String?

    @OptionGroup var members: AppMemberOptions

    func run() async throws {
        let id = try options.id()
        guard let name = AppName(rawValue: clientName ?? id.rawValue) else {
            throw CommandFailure(.usage, "client_name must be \(AppNameRule.requirement).")
        }
        let app = try members.texts(name: nil).changing(App(id: id, name: name))
        try await options.put(AppRequest(app, replacing: nil, renewsSecret: false))
    }
}

/// `nightlatch admin apps change`
struct ChangeAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Change the members of an app that the options name.",
        discussion: """
            The app keeps its secret. With --secret it gets a new one, and the old one is no longer accepted. An empty \
            list is one empty text: --post-logout-redirect-uris ''.
            """)

    @OptionGroup var options: AppOptions

    @Option(help: "The name that users see.")
    var clientName: String?

    @Option(
        help: "Refuse the change unless this is the current revision. (default: the revision that the command reads)")
    var revision: Int?

    @OptionGroup var members: AppMemberOptions

    func run() async throws {
        let id = try options.id()
        let texts = try members.texts(name: clientName)
        let current = try await options.options.administer { administration throws(AdministrationError) in
            try await administration.app(id)
        }
        try await options.put(
            AppRequest(
                texts.changing(current.app), replacing: revision ?? current.revision, renewsSecret: members.secret))
    }
}

extension AppOptions {
    /// Registers or changes the app, and prints it.
    fileprivate func put(_ request: AppRequest) async throws {
        let (stored, secret) = try await options.administer { administration throws(AdministrationError) in
            try await administration.put(request)
        }
        print(stored, secret: secret)
    }
}
