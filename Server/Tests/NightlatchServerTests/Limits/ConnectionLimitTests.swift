import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import Testing

@Suite("The limit on connections")
struct ConnectionLimitTests {
    private func limits(_ all: Int, perAddress: Int) -> RequestLimits {
        var limits = RequestLimits()
        limits.connections = all
        limits.connectionsPerAddress = perAddress
        return limits
    }

    @Test("The limits for all addresses and for one address apply until a connection has ended")
    func counts() throws {
        let limit = ConnectionLimit(limits(4, perAddress: 2))
        let (alice, bob) = (try #require(IPAddress("192.0.2.1")), try #require(IPAddress("192.0.2.2")))
        #expect([alice, alice, alice, bob].map { limit.begin(of: $0) } == [nil, nil, .address, nil])
        #expect([nil, nil, bob].map { limit.begin(of: $0) } == [nil, .all, .all])
        limit.end(of: alice)
        #expect([alice, alice].map { limit.begin(of: $0) } == [nil, .all])
        limit.end(of: nil)
        #expect([bob, bob].map { limit.begin(of: $0) } == [nil, .all])
    }

    @Test(
        "If the process may open few files, one address gets only a part of the connections", arguments: [264, 64, 2])
    func fewFiles(count: Int) throws {
        let limit = ConnectionLimit(limits(2000, perAddress: 100), openFileLimit: count)
        let alice = try #require(IPAddress("192.0.2.1"))
        // 64 files are kept in reserve, but at most half of all.
        let connections = max(count - 64, count / 2)
        #expect((0..<connections).count { _ in limit.begin(of: alice) == nil } == max(1, connections / 20))
        #expect(limit.begin(of: nil) == (connections > 1 ? nil : .all))
    }

    @Test("A connection beyond the limit of an address is closed at once, and another one's end frees its place")
    func closed() async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits = limits(100, perAddress: 2)
        try await TestRelyingParty.with(
            MemoryRelyingPartyStore(clock: TestTime.clock), setup: .live, configuration: configuration
        ) { caller in
            let port = try #require(caller.client.port)
            let live = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
            // The first connection is the caller's own.
            #expect(try await caller.call(.get, "/health/live").status == .ok)
            var second: RawConnection? = try RawConnection(port: port)
            second?.send(live)
            #expect(await second?.receive()?.hasPrefix("HTTP/1.1 200 ") == true)
            let third = try RawConnection(port: port)
            #expect(await third.receive()?.isEmpty == true)
            second = nil
            var answer: String?
            while answer?.hasPrefix("HTTP/1.1 200 ") != true {
                let next = try RawConnection(port: port)
                next.send(live)
                answer = await next.receive()
            }
        }
    }

    @Test("Connections of a trusted proxy do not count for its address")
    func proxy() async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits = limits(100, perAddress: 1)
        configuration.limits.trustedProxies = [try #require(AddressRange("127.0.0.0/8"))]
        try await TestRelyingParty.with(
            MemoryRelyingPartyStore(clock: TestTime.clock), setup: .live, configuration: configuration
        ) { caller in
            #expect(try await caller.call(.get, "/health/live").status == .ok)
            let other = try RawConnection(port: try #require(caller.client.port))
            other.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await other.receive()?.hasPrefix("HTTP/1.1 200 ") == true)
        }
    }
}
