import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// Compares random lives of a device with a model that knows the real time.
@Suite("Lockout over random lives")
struct LockoutPropertyTests {
    @Test(
        "Every attempt is counted, and possible exactly when its wait has really passed",
        arguments: 0..<200 as Range<UInt64>)
    func randomLife(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let policy = try Self.randomPolicy(using: &generator)
        let lockout = Lockout(policy: policy)
        var ledger = LockoutLedger.clear
        var device = Device()
        var model = Model(policy: policy)

        for step in 0..<300 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: device.reboot(afterOffTime: .random(in: 0...60, using: &generator))
            case 1...4: device.pass(.random(in: 0...700, using: &generator))
            default:
                switch lockout.decide(ledger, now: device.uptime) {
                case .blocked:
                    try #require(model.failures == policy.limit, "step \(step): blocked early")
                    ledger = .clear
                    model.succeed()
                case .wait(let left, let rebased):
                    try #require(model.failures < policy.limit)
                    try #require(left <= model.wait, "step \(step): longer than the policy says")
                    if let rebased { ledger = rebased }
                    // Without another boot, only the rest of the wait remains.
                    try #require(lockout.decide(ledger, now: device.uptime + left) == .mayTry)
                    try #require(lockout.decide(ledger, now: device.uptime) == .wait(left, rebased: nil))
                case .mayTry:
                    try #require(model.failures < policy.limit, "step \(step): one attempt too many")
                    try #require(device.realTime - model.chargedAt >= model.wait, "step \(step): too early")
                    ledger = lockout.charging(.random(), to: ledger, now: device.uptime)
                    model.charge(at: device.realTime)
                    if Int.random(in: 0..<8, using: &generator) == 0 {
                        ledger = .clear
                        model.succeed()
                    }
                }
            }
            try #require(ledger.failures == model.failures)
            try #require(lockout.triesLeft(ledger) == policy.limit - model.failures)
        }
    }

    private struct Device {
        private(set) var realTime = Duration.seconds(1_000_000)
        private(set) var uptime = Duration.zero

        mutating func pass(_ seconds: Int) {
            realTime += .seconds(seconds)
            uptime += .seconds(seconds)
        }

        mutating func reboot(afterOffTime seconds: Int) {
            realTime += .seconds(seconds)
            uptime = .zero
        }
    }

    private struct Model {
        let policy: LockoutPolicy
        private(set) var failures = 0
        private(set) var chargedAt = Duration.zero

        var wait: Duration {
            failures < policy.firstWaitAfter
                ? .zero : policy.waits[min(failures - policy.firstWaitAfter, policy.waits.count - 1)]
        }

        mutating func charge(at realTime: Duration) {
            failures += 1
            chargedAt = realTime
        }

        mutating func succeed() { failures = 0 }
    }

    private static func randomPolicy(using generator: inout SeededGenerator) throws -> LockoutPolicy {
        let limit = Int.random(in: 1...12, using: &generator)
        let waits = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            Duration.seconds(Int.random(in: 1...1800, using: &generator))
        }.sorted()
        return try LockoutPolicy(
            firstWaitAfter: .random(in: 1...limit, using: &generator), waits: waits, limit: limit)
    }
}
