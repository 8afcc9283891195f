import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import Testing

@Suite("The PostgreSQL store over the network")
struct PostgresTLSTests {
    private let cluster: PostgresCluster
    private let role: String

    init() async throws {
        cluster = try await .shared
        role = try await cluster.createRole(password: "correct horse")
    }

    @Test("The TLS mode and the trusted authority in the address are used")
    func tls() async throws {
        let address = cluster.address(role: role, password: "correct%20horse")
        let trusting = address + "?sslmode=verify-full&sslrootcert=" + cluster.certificatePath
        let store = try await TestPostgres.open(trusting)
        defer { store.close() }
        try await store.checkReadiness()
        let encrypted = "FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = '\(role)' AND ssl"
        #expect(try await cluster.query("SELECT count(*) > 0 \(encrypted)") == "t")

        try await TemporaryFolder.with { folder in
            // Without an authority no server can be trusted.
            await #expect(throws: StoreError(.unavailable)) {
                try await TestPostgres.open(address + "?sslmode=verify-full&sslrootcert=" + folder + "/none.crt")
            }
        }
    }

    @Test("A wrong or missing password is refused, and the right one is accepted")
    func password() async throws {
        for password in ["wrong", nil] {
            await #expect(throws: StoreError(.unavailable)) {
                try await TestPostgres.open(cluster.address(role: role, password: password))
            }
        }
        try await TestPostgres.open(cluster.address(role: role, password: "correct%20horse")).close()
    }
}
