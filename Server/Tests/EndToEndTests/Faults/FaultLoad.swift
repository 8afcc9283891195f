import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Loads a fleet with devices while a test breaks things, and checks the result once the fleet works again.
///
/// There are enough devices for several writes in each transaction.
struct FaultLoad {
    let fleet: ServerFleet
    private let tally = FaultTally()
    private static let deviceCount = 8

    /// Loads the fleet while `body` breaks things, then checks that nothing was done twice and nothing was lost.
    static func run(on fleet: ServerFleet, _ body: (FaultLoad) async throws -> Void) async throws {
        let load = FaultLoad(fleet: fleet)
        var devices: [SigningDevice] = []
        for number in 0..<deviceCount { devices.append(try await SigningDevice(of: "user-\(number)", boundBy: fleet)) }
        let tokens = try await withThrowingTaskGroup { group in
            for device in devices {
                let loading = LoadingDevice(device, fleet: fleet, tally: load.tally)
                group.addTask {
                    do {
                        return (device, try await loading.run())
                    } catch {
                        // Without this device, a caller of `waitForLogins` may wait in vain.
                        if !Task.isCancelled { Issue.record(error, "a device of the load gave up") }
                        throw error
                    }
                }
            }
            try await body(load)
            await load.tally.end()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await load.checkAnswers()
        try await load.checkAudit()
        // Each request throws if it is refused.
        for (device, token) in tokens {
            var token = token
            for address in fleet.addresses {
                let party = HTTPRelyingParty(issuer: address)
                let nonce = try await device.beginLogin(at: party).nonce
                token = try await party.tokens(.refresh(token), proof: device.proof(nonce: nonce)).refreshToken
            }
        }
    }

    /// Returns when `count` more logins were answered.
    func waitForLogins(_ count: Int = 10) async throws { try await tally.wait(forMore: count, .loggedIn) }

    /// The number of logins so far that servers recorded but whose answer was lost.
    var lostLoginCount: Int { get async { await tally.lostLoginCount } }

    /// Breaks the store of all servers, then repairs it. No server may fail once all are ready again.
    func interrupt(_ breakIt: () async throws -> Void, _ mendIt: () async throws -> Void) async throws {
        await tally.beginFault()
        try await breakIt()
        try await tally.wait(forMore: 10, .unavailable)
        try await mendIt()
        try await fleet.waitUntilReady()
        // A server's health answer may be a second old.
        try await waitForLogins()
        await tally.endFault()
        try await waitForLogins(30)
    }

    private func checkAnswers() async throws {
        let logins = await tally.logins
        #expect(Set(logins).count == logins.count, "a login was accepted twice")
        let used = Set(try await fleet.column("challenge", of: "used_challenge"))
        #expect(used.isSuperset(of: logins.map(\.rawValue)), "a login that was accepted is lost")

        for (transaction, state) in await tally.decisions {
            #expect(try await fleet.backend.transaction(transaction).state == state)
        }
        let bound = Set(try await fleet.column("id", of: "device"))
        #expect(await bound.isSuperset(of: tally.bindings.map(\.rawValue)), "a device that was bound is lost")
        let revoked = Set(try await fleet.column("id", of: "device WHERE revoked_at IS NOT NULL"))
        #expect(
            await revoked == Set(tally.revocations.map(\.rawValue)), "other devices are revoked than were asked for")
    }

    /// Checks that every used challenge had one effect, and that the audit log has every effect once.
    private func checkAudit() async throws {
        let audit = try await fleet.verifyAudit()
        #expect(audit.status == 0, "\(audit)")
        let events = try await fleet.auditEvents()
        // Rows that only fill the table have no message hash.
        let used = try await fleet.column("device_id", of: "used_challenge WHERE length(message_hash) > 1")
        for device in try await fleet.column("id", of: "device") {
            let ceremonies = events.filter { event in
                event.device?.rawValue == device
                    && [.deviceBound, .loggedIn, .transactionConfirmed, .transactionRejected].contains(event.kind)
            }
            #expect(used.filter { $0 == device }.count == ceremonies.count)
        }
        let states = ["confirmed": AuditEvent.Kind.transactionConfirmed, "rejected": .transactionRejected]
        for (state, kind) in states {
            let decided = try await fleet.column("id", of: "user_transaction WHERE ended_as = '\(state)'")
            #expect(decided.sorted() == events.filter { $0.kind == kind }.compactMap(\.transaction?.rawValue).sorted())
        }
        let revoked = events.filter { $0.kind == .deviceRevoked }.compactMap(\.device?.rawValue)
        #expect(try await fleet.column("id", of: "device WHERE revoked_at IS NOT NULL").sorted() == revoked.sorted())
        #expect(!events.contains { $0.kind == .refreshTokenReused }, "a lost answer has logged somebody out")
    }
}
