import Testing

@Suite("Three server processes over one database, stopped one after the other under load", .timeLimit(.minutes(10)))
struct RollingRestartTests {
    @Test(
        "Each server ends cleanly, every recorded login is answered, and the other servers do not fail",
        arguments: ServerFleet.Kind.allCases)
    func stopped(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            try await FaultLoad.run(on: fleet) { load in
                for number in [0, 1, 2, 0, 1, 2] {
                    try await load.waitForLogins()
                    #expect(try await fleet.stop(number) == 0)
                    try await load.waitForLogins()
                    try await fleet.restart(number)
                }
                try await load.waitForLogins()
                #expect(await load.lostLoginCount == 0)
            }
        }
    }
}
