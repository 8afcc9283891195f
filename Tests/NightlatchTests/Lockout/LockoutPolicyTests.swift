import Nightlatch
import Testing

@Suite("Lockout policy")
struct LockoutPolicyTests {
    @Test("The login policy waits from the third failure on and ends at the tenth")
    func login() {
        #expect(LockoutPolicy.login.firstWaitAfter == 3)
        #expect(LockoutPolicy.login.waits == [.seconds(30), .seconds(300), .seconds(1800)])
        #expect(LockoutPolicy.login.limit == 10)
    }

    @Test("A limit must lie between 1 and 100", arguments: [Int.min, -1, 0, 101, Int.max])
    func impossibleLimit(limit: Int) {
        #expect(throws: LockoutPolicyError.limit(allowed: 1...100)) {
            try LockoutPolicy(firstWaitAfter: 1, waits: [.seconds(1)], limit: limit)
        }
    }

    @Test("The first wait must come at a failure that can happen", arguments: [Int.min, 0, 6, Int.max])
    func impossibleFirstWait(failure: Int) {
        #expect(throws: LockoutPolicyError.firstWait(allowed: 1...5)) {
            try LockoutPolicy(firstWaitAfter: failure, waits: [.seconds(1)], limit: 5)
        }
    }

    @Test(
        "Waits must be above zero and at most a day",
        arguments: [
            [], [.zero], [.seconds(-1)], [.seconds(1), .zero], [.seconds(86_401)],
        ] as [[Duration]])
    func impossibleWaits(waits: [Duration]) {
        #expect(throws: LockoutPolicyError.waits) { try LockoutPolicy(firstWaitAfter: 1, waits: waits, limit: 5) }
    }
}
