import Foundation
import Nightlatch
import NightlatchProgram

/// The steps about the PIN.
extension DemoStory {
    func lock(_ open: OpenVault) async throws {
        try await reporter.step("The vault locks") {
            await open.lock()
            do {
                _ = try await open.secret(named: Self.secretName)
            } catch VaultError.locked {
                return "asked for a secret it answers: locked"
            }
            throw DemoFailure("a locked vault gave a secret")
        }
    }

    func tryWrongPin(_ vault: Vault) async throws {
        try await reporter.step("A wrong PIN is refused") {
            let refusal = try await refusal(of: DemoPin.wrong, by: vault)
            try DemoFailure.require(refusal == .wrong(triesLeft: 9, wait: nil), "unexpected: \(refusal)")
            return refusal.sentence
        }
    }

    func sitOutLockout(_ vault: Vault) async throws {
        try await reporter.step("A second wrong PIN locks it for a while (this story's policy: 5 s, for show)") {
            let wrong = try await refusal(of: DemoPin.wrong, by: vault)
            guard case .wrong(8, .some) = wrong else { throw DemoFailure("unexpected: \(wrong)") }
            let early = try await refusal(of: DemoPin.first, by: vault)
            guard case .waiting(let rest, 8) = early else { throw DemoFailure("unexpected: \(early)") }
            try await Task.sleep(for: rest)
            let state = try await vault.state()
            try DemoFailure.require(state == .ready(triesLeft: 8), "the wait did not end: \(state)")
            return "\(wrong.sentence) Then even the right PIN is not tried; \(rest.inWords) later it may be"
        }
    }

    func unlock(_ vault: Vault) async throws -> OpenVault {
        try await reporter.step("The right PIN unlocks") {
            let open = try await vault.unlock(with: try .demo(DemoPin.first))
            let state = try await vault.state()
            try DemoFailure.require(state == .ready(triesLeft: 10), "the count was not reset")
            return (open, "the vault is open and all 10 attempts are available again")
        }
    }

    func changePin(_ vault: Vault) async throws -> OpenVault {
        try await reporter.step("The PIN is changed") {
            let open = try await vault.changePin(from: try .demo(DemoPin.first), to: try .demo(DemoPin.second))
            let names = try await open.names()
            try DemoFailure.require(names.count == 4, "secrets were lost")
            return (open, "the vault was sealed again under a new key; all \(names.count) secrets are there")
        }
    }

    func tryOldPin(_ vault: Vault) async throws {
        try await reporter.step("The old PIN no longer opens the vault") {
            let refusal = try await refusal(of: DemoPin.first, by: vault)
            try DemoFailure.require(refusal == .wrong(triesLeft: 9, wait: nil), "unexpected: \(refusal)")
            _ = try await vault.unlock(with: try .demo(DemoPin.second))
            return "it is refused like any wrong PIN, and the new one opens"
        }
    }

    private func refusal(of digits: StaticString, by vault: Vault) async throws -> PinRefusal {
        do {
            _ = try await vault.unlock(with: try .demo(digits))
        } catch UnlockError.refused(let refusal) {
            return refusal
        }
        throw DemoFailure("a wrong PIN opened the vault")
    }
}
