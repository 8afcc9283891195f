import Foundation
import NightlatchCommand
import NightlatchPlatform
import NightlatchPostgresCluster
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire
import Subprocess
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Metrics", .timeLimit(.minutes(10)))
struct MetricsTests {
    private func get(_ address: String) async throws -> (text: String, response: HTTPURLResponse) {
        let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: address)))
        return (String(decoding: data, as: UTF8.self), try #require(response as? HTTPURLResponse))
    }

    @Test("Over PostgreSQL there are also metrics of the logins in each transaction and of the connections in use")
    func postgres() async throws {
        let (folder, cluster) = (try TemporaryFolder(), try await PostgresCluster.shared)
        let port = try ListeningAddress("127.0.0.1:0").port
        let database = cluster.address(database: try await cluster.createDatabase())
        let options = ["--metrics-address", "127.0.0.1:\(port)", "--database", database]
        try await ServerProcess.run(in: folder, options: options) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: ["295038"])
            #expect(bound.status == 0, "\(bound.errors)")
            #expect(try await folder.device("login", pins: ["295038"]).status == 0)
            let metrics = try ScrapedMetrics(try await get("http://127.0.0.1:\(port)/metrics").text)
            let logins = try #require(metrics.value(#"nightlatch_ceremonies_total{ceremony="login"}"#))
            #expect(logins >= 1 && metrics.value("nightlatch_postgres_group_size_sum") == logins)
            #expect(metrics.value("nightlatch_postgres_connections_in_use") == 0)
        }
    }

    @Test(
        "The operations of devices are counted at the address for Prometheus, and the devices' address has no metrics")
    func story() async throws {
        let folder = try TemporaryFolder()
        let port = try ListeningAddress("127.0.0.1:0").port
        let options = [
            "--metrics-address", "127.0.0.1:\(port)", "--admin-key-file", folder.path + "/admin.key",
            "--audit-heads-file", folder.path + "/heads",
        ]
        try await ServerProcess.run(in: folder, options: options) { server in
            let code = try await server.code()
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", code, pins: ["295038"])
            #expect(bound.status == 0, "\(bound.errors)")
            #expect(try await folder.device("login", pins: ["295038"]).status == 0)
            #expect(try await folder.device("devices", pins: ["295038"]).status == 0)
            #expect(try await get(server.url + "/v1/devices").response.statusCode == 401)
            #expect(try await get(server.url + "/metrics").response.statusCode == 404)

            var signIn = URLRequest(url: try #require(URL(string: server.url + "/console/sign-in")))
            signIn.httpMethod = "POST"
            signIn.setValue("same-origin", forHTTPHeaderField: "Sec-Fetch-Site")
            signIn.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
            signIn.httpBody = Data("key=wrong".utf8)
            let (_, refused) = try await URLSession.shared.data(for: signIn)
            #expect((refused as? HTTPURLResponse)?.statusCode == 403)

            let backend = HTTPBackend(issuer: server.issuer, key: try BackendKey(file: server.folder + "/backend.key"))
            let credentials = Credentials(
                user: try #require(UserID(rawValue: "bob")), password: try #require(Password(rawValue: "correct horse"))
            )
            _ = try await backend.setPassword(credentials)
            _ = try await backend.verifyPassword(credentials)

            let (text, response) = try await get("http://127.0.0.1:\(port)/metrics")
            #expect(response.statusCode == 200)
            #expect(response.value(forHTTPHeaderField: "Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
            let metrics = try ScrapedMetrics(text)
            let ofPostgres: Set<MetricName> = [.poolConnectionsInUse, .postgresGroupSize]
            for name in MetricName.allCases where !ofPostgres.contains(name) {
                #expect(metrics.types[name.rawValue] != nil, "\(name.rawValue)")
            }
            func count(_ series: String) -> Double { metrics.value(series) ?? -1 }
            #expect(count(#"nightlatch_ceremonies_total{ceremony="binding"}"#) == 1)
            #expect(count(#"nightlatch_ceremonies_total{ceremony="login"}"#) >= 1)
            let grants = ["login", "refresh"].map { count("nightlatch_ceremonies_total{ceremony=\"\($0)\"}") }.reduce(
                0, +)
            #expect(grants == count(#"nightlatch_requests_total{route="/oauth/token",method="POST",status="2xx"}"#))
            #expect(count(#"nightlatch_challenges_total{purpose="binding"}"#) == 1)
            #expect(count(#"nightlatch_requests_total{route="/v1/devices",method="GET",status="4xx"}"#) == 1)
            #expect(count(#"nightlatch_requests_total{route="other",method="other",status="4xx"}"#) == 1)
            #expect(count(#"nightlatch_refusals_total{code="access_token_refused"}"#) == 1)
            #expect(count(#"nightlatch_refusals_total{code="rate_limited"}"#) == 0)
            #expect(count(#"nightlatch_refusals_total{code="admin_key_refused"}"#) == 1)
            #expect(count(#"nightlatch_store_seconds_count{verb="bind"}"#) == 1)
            // A verb of several transactions is measured once.
            #expect(count(#"nightlatch_store_seconds_count{verb="chargePasswordAttempt"}"#) == 1)
            // A server exports the heads when it starts.
            #expect(count("nightlatch_audit_heads_exported_timestamp_seconds") > 1_700_000_000)
            #expect(count(#"nightlatch_store_errors_total{kind="unavailable"}"#) == 0)
            #expect(count("nightlatch_sqlite_group_size_count") >= 3)
            #expect(count("nightlatch_requests_in_flight") == 0)
            #expect(count("process_resident_memory_bytes") > 1_000_000)
            #expect(count("process_cpu_seconds_total") > 0)
            #expect(count("process_open_fds") > 3)
            #expect(text.contains(#"nightlatch_build_info{configuration=""#))
            #expect(text.contains(#"database="sqlite"} 1.0"#))
            // Labels come from closed sets: no user, no device, no code.
            #expect(!text.contains("alice") && !text.contains(code))
        }
    }

    @Test(
        """
        A request that is refused before its route is counted by reason: not HTTP, a head that is too large, too slow, \
        too many requests, or too many connections
        """)
    func refusedBeforeRoutes() async throws {
        let folder = try TemporaryFolder()
        let port = try ListeningAddress("127.0.0.1:0").port
        let options = [
            "--metrics-address", "127.0.0.1:\(port)", "--address-connections", "1", "--arrival-seconds", "1",
        ]
        try await ServerProcess.run(in: folder, options: options) { server in
            // Opens one connection after the other and reads each until the server closes it; then another beside the
            // last.
            let script = #"""
                trap '' PIPE
                live='GET / HTTP/1.1\r\nHost: a\r\n\r\n'
                open() {
                    until exec 3<>/dev/tcp/127.0.0.1/$1; printf "$live" >&3; read -r -n 12 -t 60 status <&3 && [ "$status" = 'HTTP/1.1 404' ]
                    do :; done
                }
                count() { grep -ac "$1" <&3; }
                open $1; printf 'no request\r\n\r\n' >&3; count 'HTTP/1.1 400'
                open $1; printf 'GET / HTTP/1.1\r\n\r\n' >&3; count 'HTTP/1.1 400'
                open $1; { printf 'GET / HTTP/1.1\r\nA: '; head -c 40000 /dev/zero | tr '\0' a; } >&3; count 'HTTP/1.1 431'
                open $1; printf 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{' >&3; count 'HTTP/1.1 408'
                open $1; printf "$live%.0s" {1..1500} >&3; count 'Connection: close'
                open $1; exec 4<>/dev/tcp/127.0.0.1/$1; cat <&4; echo closed
                """#
            let outcome = try await Subprocess.run(
                .name("bash"), arguments: ["-c", script, "bash", "\(server.port)"], output: .string(limit: 1 << 16),
                error: .string(limit: 1 << 16))
            #expect(outcome.standardOutput == "1\n1\n1\n1\n1\nclosed\n", "\(outcome.standardError)")

            let metrics = try ScrapedMetrics(try await get("http://127.0.0.1:\(port)/metrics").text)
            func count(_ metric: MetricName, _ reason: String) -> Double? {
                metrics.value("\(metric.rawValue){reason=\"\(reason)\"}")
            }
            let unread = RequestRefusal.allCases.map { count(.requestsUnread, $0.rawValue) }
            #expect(unread == [2, 1, 1])
            #expect(count(.connectionsRefused, "waiting_requests") == 1)
            // The server may still count each previous connection when the next one arrives.
            #expect(count(.connectionsRefused, "address") ?? 0 >= 1)
            #expect(count(.connectionsRefused, "all") == 0 && count(.connectionsRefused, "tls") == 0)
        }
    }

    @Test("The operator's documentation lists every metric")
    func documentation() throws {
        let path = PythonEnvironment.root + "/docs/operations.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let reasons = ConnectionRefusal.allCases.map(\.rawValue) + RequestRefusal.allCases.map(\.rawValue)
        for name in MetricName.allCases.map(\.rawValue) + reasons { #expect(text.contains("`\(name)`"), "\(name)") }
    }
}
