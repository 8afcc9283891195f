import Nightlatch
import NightlatchTesting
import Testing

@Suite("Vaults over random lives")
struct VaultLifeTests {
    @Test(
        "After any sequence of actions, crashes and boots, a vault matches a simple model",
        arguments: 0..<200 as Range<UInt64>)
    func life(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var life = VaultLife(policy: try Self.randomPolicy(using: &generator))
        do {
            for _ in 0..<16 {
                let action = VaultAction.random(life.model, using: &generator)
                var fault: (call: Int, kind: FaultyStore.Fault)?
                if action.usesStore, Int.random(in: 0..<6, using: &generator) == 0 {
                    fault = (
                        .random(in: 0..<10, using: &generator),
                        FaultyStore.Fault.allCases.randomElement(using: &generator) ?? .before
                    )
                }
                try await life.live(action, fault: fault)
            }
            try await life.compare()
        } catch {
            Issue.record("seed \(seed): \(error)\n\(life.log.joined(separator: "\n"))")
        }
    }

    private static func randomPolicy(using generator: inout SeededGenerator) throws -> LockoutPolicy {
        let limit = Int.random(in: 2...5, using: &generator)
        let waits = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            Duration.seconds(Int.random(in: 1...100, using: &generator))
        }
        return try LockoutPolicy(
            firstWaitAfter: .random(in: 1...limit, using: &generator), waits: waits.sorted(), limit: limit,
            end: LockoutEnd.allCases.randomElement(using: &generator) ?? .wipe)
    }
}
