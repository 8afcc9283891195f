import Foundation
import NightlatchWire

/// Logs devices in over real sockets with real signatures, as fast as the server answers. Each connection runs its
/// logins one after the other.
struct LoadGenerator {
    let issuer: Issuer
    let port: Int
    let devices: [LoadDevice]
    /// Additional headers of each request, each with its line end.
    var headers = ""
    /// The revision of the policy that each device states; nil from devices that know no policies.
    var policy: PolicyRevision?

    /// The duration of each finished login, and of the whole run.
    struct Result {
        var durations: [Duration] = []
        var passed = Duration.zero

        /// Returns the duration that this percentage of the logins does not exceed, in milliseconds.
        func milliseconds(percentile: Int) -> Double {
            let sorted = durations.sorted()
            return sorted[min(sorted.count - 1, sorted.count * percentile / 100)] / .milliseconds(1)
        }

        static func += (left: inout Self, right: Self) {
            left.durations += right.durations
            left.passed += right.passed
        }
    }

    /// Logs devices in for `time`. Each connection cycles through the devices, beginning with a different one, and
    /// begins at most one login in each `interval`.
    func run(
        connections: Int,
        for time: Duration,
        startingAt first: Int = 0,
        each interval: Duration = .zero
    ) async throws -> Result {
        try await Self.run(port: port, connections: connections, for: time, each: interval) { number, server in
            try await logIn(devices[(first + number) % devices.count], over: &server)
        }
    }

    /// Runs `step` for `time` over each of several connections, with a number that no other call gets.
    static func run(
        port: Int,
        connections: Int,
        for time: Duration,
        each interval: Duration = .zero,
        _ step: @escaping @Sendable (_ number: Int, _ server: inout LoadConnection) async throws -> Void
    ) async throws -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        let durations = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for connection in 0..<connections {
                group.addTask {
                    var durations: [Duration] = []
                    try await LoadConnection.run(port: port) { server in
                        while clock.now < start + time {
                            let begin = clock.now
                            try await step(connection + durations.count * connections, &server)
                            durations.append(clock.now - begin)
                            if interval > .zero { try await clock.sleep(until: begin + interval) }
                        }
                    }
                    return durations
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return Result(durations: durations, passed: clock.now - start)
    }

    private func logIn(_ device: LoadDevice, over server: inout LoadConnection) async throws {
        let beginning = StrictJSON.encode(LoginRequest(user: device.user, device: device.id))
        let challenge = try StrictJSON.decode(
            LoginChallenge.self,
            from: await server.post(
                Array(beginning), as: "application/json", to: .beginLogin, headers: headers))
        let request = TokenRequest.login(
            assertion: try device.assertion(for: challenge, at: issuer), handle: challenge.handle,
            policy: policy)
        // Only the grant type has characters that must be escaped in a form.
        let form = request.fields.map { "\($0.key)=\($0.value.replacing(":", with: "%3A"))" }.joined(separator: "&")
        let grant = try await server.post(
            Array(form.utf8), as: "application/x-www-form-urlencoded", to: .token,
            headers: headers + "DPoP: \(try device.proof(at: issuer, nonce: server.newestNonce))\r\n")
        _ = try StrictJSON.decode(TokenGrant.self, from: grant)
    }
}
