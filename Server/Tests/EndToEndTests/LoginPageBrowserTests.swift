import Testing

@Suite("The login page in a real browser", .timeLimit(.minutes(10)))
struct LoginPageBrowserTests {
    @Test(
        """
        Users log in by scan and by name, reject, enter a wrong number, give up and try again, by mouse and by \
        keyboard alone, with scripts and without; another decoder reads the QR code in every view
        """)
    func browser() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder, options: ["--address-rate", "0"]) { server in
            let outcome = try await OpenIDServer.runPython(
                "Browser/login.py",
                [server.url, server.folder + "/backend.key", PythonEnvironment.root + "/.build/screenshots/login"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("checked: "))
        }
    }
}
