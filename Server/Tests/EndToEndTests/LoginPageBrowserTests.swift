import Hummingbird
import HummingbirdTesting
import Logging
import NightlatchLoginPage
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServer
import NightlatchWire
import Testing

@Suite("The login page in a real browser", .timeLimit(.minutes(10)))
struct LoginPageBrowserTests {
    @Test(
        """
        Users log in by scan and by name, reject, enter a wrong number, give up and try again, by mouse and by \
        keyboard alone, with scripts and without; another decoder reads the QR code in every view; no site can frame it
        """)
    func browser() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder, options: ["--address-rate", "0"]) { server in
            try await Self.withLaterServer(beside: server) { later in
                let outcome = try await OpenIDServer.runPython(
                    "Browser/login.py",
                    [
                        server.url, later, server.folder + "/backend.key",
                        PythonEnvironment.root + "/.build/screenshots/login",
                    ])
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.output.hasPrefix("checked: "))
            }
        }
    }

    /// Runs a second server in this process, over the database and with the keys of `server`, and calls `body` with its
    /// address. Its clock is ahead by more than the life of a login.
    private static func withLaterServer(
        beside server: ServerProcess, _ body: @escaping @Sendable (_ address: String) async throws -> Void
    ) async throws {
        let clock = WallClock { WallClock.system.now() + RemoteLogin.life + .seconds(61) }
        var logger = Logger(label: "later")
        logger.logLevel = .critical
        let store = try SQLiteStore(path: server.folder + "/nightlatch.sqlite", clock: clock)
        let application = try await buildApplication(
            configuration: RelyingPartyConfiguration(issuer: server.issuer), store: store,
            masterKey: .load(from: server.folder + "/master.key"),
            backendKey: .load(from: server.folder + "/backend.key"), additions: [.loginPage], clock: clock,
            logger: logger)
        try await application.test(.live) { client in
            let port = try #require(client.port)
            try await body("http://127.0.0.1:\(port)")
        }
        try store.close()
    }
}
