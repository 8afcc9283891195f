import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchPostgresCluster
import NightlatchWire
import Testing

@Suite("Three server processes over one database, under load", .timeLimit(.minutes(3)))
struct ProcessFaultTests {
    @Test(
        """
        RP6: killed one by one, with the database restarted, killed and full: nothing twice, nothing lost, no 5xx afterwards, \
        and the audit log whole
        """, arguments: ServerFleet.Kind.allCases)
    func faults(kind: ServerFleet.Kind) async throws {
        let cluster = kind == .postgres ? try await PostgresCluster(settings: ["fsync = off"]) : nil
        try await ServerFleet.with(kind, cluster: cluster) { fleet in
            var devices: [SigningDevice] = []
            for number in 0..<4 { devices.append(try await SigningDevice(of: "user-\(number)", boundBy: fleet)) }
            let tally = LoginTally()
            let load = devices.map { device in Task { await logInAgainAndAgain(device, fleet: fleet, tally: tally) } }
            do {
                try await tally.wait(forMore: 10, .accepted)
                for number in 0..<3 {
                    try await fleet.kill(number)
                    try await tally.wait(forMore: 10, .accepted)
                    try await fleet.restart(number)
                }
                if let cluster {
                    for isKilled in [false, true] {
                        if isKilled { try await cluster.kill() } else { try await cluster.stop() }
                        try await tally.wait(forMore: 10, .unavailable)
                        try await cluster.start()
                        try await tally.wait(forMore: 10, .accepted)
                    }
                    try await fillDisk(of: fleet, in: cluster, tally: tally)
                } else {
                    try await fleet.restartAll(growth: 200)
                    try await tally.wait(forMore: 10, .unavailable)
                    try await fleet.restartAll()
                    try await tally.wait(forMore: 10, .accepted)
                }
            } catch {
                for task in load { task.cancel() }
                throw error
            }
            for task in load { task.cancel() }
            for task in load { await task.value }

            let accepted = await tally.acceptedChallenges
            #expect(Set(accepted).count == accepted.count, "a login was accepted twice")
            let kept = try await fleet.column("challenge", of: "used_challenge")
            #expect(Set(kept).isSuperset(of: accepted.map(\.rawValue)), "a login that was accepted is lost")
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 0, "\(audit)")
            // Each of these throws at any refusal and at any 5xx.
            for device in devices {
                for address in fleet.addresses {
                    let party = HTTPRelyingParty(issuer: address)
                    let login = try await device.beginLogin(at: party)
                    let grant = try await party.tokens(login.request, proof: device.proof(nonce: login.nonce))
                    _ = try await party.tokens(
                        .refresh(grant.refreshToken), proof: device.proof(nonce: party.newestNonce))
                }
            }
        }
    }

    /// Lets the database's disk be full until logins fail for it, and then have room again.
    private func fillDisk(of fleet: ServerFleet, in cluster: PostgresCluster, tally: LoginTally) async throws {
        try await cluster.fillDisk(
            by: """
                INSERT INTO nightlatch.used_challenge SELECT gen_random_uuid(), '\\x00', device.id, 1900000000
                FROM generate_series(1, 500), (SELECT id FROM nightlatch.device LIMIT 1) AS device
                """, database: fleet.database)
        try await tally.wait(forMore: 10, .unavailable)
        try await cluster.stop()
        try await cluster.start()
        try await tally.wait(forMore: 10, .accepted)
    }

    /// Logs a device in at one server after the other, each login with one message that is sent until it is decided, and then
    /// once more.
    private func logInAgainAndAgain(_ device: SigningDevice, fleet: ServerFleet, tally: LoginTally) async {
        let parties = fleet.parties(forRequestsAtOnce: 18)
        var turn = Int.random(in: 0..<parties.count)
        func nextParty() -> HTTPRelyingParty {
            turn += 1
            return parties[turn % parties.count]
        }
        while !Task.isCancelled {
            do {
                let login = try await device.beginLogin(at: nextParty())
                for _ in 0..<3 {
                    do {
                        _ = try await nextParty().tokens(
                            login.request, proof: device.proof(nonce: login.nonce))
                        await tally.note(.accepted, login.challenge)
                    } catch RelyingPartyError.refused(let refusal) where refusal.code == .challengeUsed {
                        break
                    } catch RelyingPartyError.refused(let refusal) where refusal.code == .unavailable {
                        await tally.note(.unavailable, login.challenge)
                    } catch {
                        await tally.note(.failed, login.challenge)
                    }
                }
            } catch {
                await tally.note(.failed, nil)
            }
        }
    }
}

/// How many logins went well and how many brought no answer, and whoever waits for more.
private actor LoginTally {
    enum Outcome {
        case accepted
        case failed
        /// A server said that it cannot use its store.
        case unavailable
    }

    private(set) var acceptedChallenges: [Challenge] = []
    private var failureCount = 0
    private var unavailableCount = 0
    private var waiter: (outcome: Outcome, count: Int, continuation: CheckedContinuation<Void, Never>)?

    func note(_ outcome: Outcome, _ challenge: Challenge?) {
        switch outcome {
        case .accepted: if let challenge { acceptedChallenges.append(challenge) }
        case .failed: failureCount += 1
        case .unavailable: unavailableCount += 1
        }
        if let waiter, count(of: waiter.outcome) >= waiter.count {
            self.waiter = nil
            waiter.continuation.resume()
        }
    }

    /// Returns when there are `more` than there were.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before, as by the time limit.
    func wait(forMore more: Int, _ outcome: Outcome) async throws {
        let goal = count(of: outcome) + more
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { waiter = (outcome, goal, continuation) }
            }
        } onCancel: {
            Task { await giveUp() }
        }
        try Task.checkCancellation()
    }

    private func giveUp() { waiter.take()?.continuation.resume() }

    private func count(of outcome: Outcome) -> Int {
        switch outcome {
        case .accepted: acceptedChallenges.count
        case .failed: failureCount
        case .unavailable: unavailableCount
        }
    }
}
