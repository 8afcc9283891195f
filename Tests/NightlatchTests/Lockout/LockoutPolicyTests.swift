import Nightlatch
import Testing

@Suite("Lockout policy")
struct LockoutPolicyTests {
    @Test(
        "The ready-made policies have their waits and their ends",
        arguments: [
            (.login, [0, 0, 30, 300, 1800, 1800, 1800, 1800, 1800, 1800], .newCredentials),
            (.payment, [0, 0, 30, 300, 300], .newCredentials),
            (.wallet, [0, 0, 30, 30, 300, 300, 1800, 3600, 3600, 3600], .recoveryPhrase),
            (.enterprise, [0, 0, 30, 300, 1800, 1800, 1800, 1800, 1800, 1800], .wipe),
        ] as [(LockoutPolicy, [Int], LockoutEnd)])
    func readyMade(policy: LockoutPolicy, waits: [Int], end: LockoutEnd) {
        #expect(policy.limit == waits.count)
        #expect((1...policy.limit).map(policy.wait(afterFailures:)) == waits.map { .seconds($0) })
        #expect(policy.end == end)
    }

    @Test("A wait must not be shorter than the previous one")
    func shrinkingWaits() {
        #expect(throws: LockoutPolicyError.shrinkingWaits) {
            try LockoutPolicy(firstWaitAfter: 1, waits: [.seconds(1), .seconds(3), .seconds(2)], limit: 5)
        }
    }

    @Test("A limit must be between 1 and 100", arguments: [Int.min, -1, 0, 101, Int.max])
    func impossibleLimit(limit: Int) {
        #expect(throws: LockoutPolicyError.limit(allowed: 1...100)) {
            try LockoutPolicy(firstWaitAfter: 1, waits: [.seconds(1)], limit: limit)
        }
    }

    @Test("The first wait must follow a failure that can happen", arguments: [Int.min, 0, 6, Int.max])
    func impossibleFirstWait(failure: Int) {
        #expect(throws: LockoutPolicyError.firstWait(allowed: 1...5)) {
            try LockoutPolicy(firstWaitAfter: failure, waits: [.seconds(1)], limit: 5)
        }
    }

    @Test(
        "Waits must be above zero and at most a day",
        arguments: [
            [], [.zero], [.seconds(-1)], [.seconds(1), .zero], [.seconds(86_401)], [.microseconds(999)],
        ] as [[Duration]])
    func impossibleWaits(waits: [Duration]) {
        #expect(throws: LockoutPolicyError.waits) { try LockoutPolicy(firstWaitAfter: 1, waits: waits, limit: 5) }
    }
}
