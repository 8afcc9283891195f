import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about ended console sessions that every store keeps.
package enum ConsoleSessionConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement(
            """
            A session that was signed out stays ended until its expiry, also by a clock that is behind, \
            and is recorded once
            """
        ) { store in
            let (id, other) = (ConsoleSessionID.random(), ConsoleSessionID.random())
            let end = TestTime.current + .seconds(600)
            #expect(try await store.isConsoleSessionEnded(id) == false)
            _ = try await inParallel(10) { try await store.endConsoleSession(id, expiresAt: end) }
            #expect(try await store.isConsoleSessionEnded(id))
            #expect(try await store.isConsoleSessionEnded(other) == false)
            let kinds = try await store.auditEntries(of: nil, before: nil, limit: 20).map(\.event.kind)
            #expect(kinds.filter { $0 == .consoleSignedOut }.count == 1)
            try await TestTime.after(.seconds(600) + ChallengeUse.retention) {
                try await store.purgeExpired()
                let atTheEnd = try await store.isConsoleSessionEnded(id)
                #expect(atTheEnd)
            }
            try await TestTime.after(.seconds(601) + ChallengeUse.retention) {
                try await store.purgeExpired()
                let forgotten = try await store.isConsoleSessionEnded(id)
                #expect(!forgotten)
            }
        }
    ]
}
