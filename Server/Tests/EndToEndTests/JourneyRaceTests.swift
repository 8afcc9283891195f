import NightlatchWire
import Testing

@Suite("Journeys at three server processes over one database", .timeLimit(.minutes(10)))
struct JourneyRaceTests {
    @Test(
        """
        Of 200 bindings at once, as many succeed as the key limit allows; of 200 answers to one question, one is \
        accepted
        """,
        arguments: ServerFleet.Kind.allCases)
    func races(kind: ServerFleet.Kind) async throws {
        let options = ["--journeys", JourneyServer.folder + "/journeys.json"]
        try await ServerFleet.with(kind, options: options) { fleet in
            let outcome = try await Python.run(
                file: JourneyServer.folder + "/races.py",
                arguments: [fleet.backendKeyPath, "alpha", "alice", JourneyServer.password]
                    + fleet.addresses.map { $0.rawValue + "/am" })
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(
                outcome.output == "2 of 200 bound, 1 of 200 answers bound a key, 1 of 200 signed\n", "\(outcome.errors)"
            )
            #expect(try await fleet.column("id", of: "journey_device").count == 3)
            // One session by password, three by binding, one by signature.
            #expect(try await fleet.column("user_id", of: "journey_session").count == 5)
        }
    }
}
