import ArgumentParser
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// `nightlatch attack-cost`: estimates how long the PIN resists a search in a stolen vault file. Needs no PIN and
/// charges no attempt.
struct AttackCostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack-cost",
        abstract: "Shows how long the PIN of a stolen vault resists guessing, from a measured guess rate.",
        discussion: """
            Without --key-derivation it uses the parameters of the vault in your home. It needs no PIN and charges no \
            attempt.
            """)

    @OptionGroup var client: ClientOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let report =
            if let requested = try client.keyDerivation.requested() {
                AttackCostReport(of: requested, vault: nil, isDeviceBound: nil)
            } else {
                try await reportOnVault()
            }
        if json {
            print(String(decoding: StrictJSON.encode(report), as: UTF8.self))
        } else {
            for line in report.lines { print(line) }
        }
    }

    private func reportOnVault() async throws -> AttackCostReport {
        let home = try client.offlineHome()
        guard let protection = try await home.protection() else { throw CommandFailure(UnlockError.noVault) }
        guard let parameters = protection.keyDerivation else {
            throw CommandFailure(.refused, "No PIN opens this vault, so there is none to guess.")
        }
        guard KeyDerivationBounds.standard.contain(parameters) else {
            throw CommandFailure(VaultError.unacceptableKeyDerivation)
        }
        return AttackCostReport(
            of: parameters, vault: home.vaultPath, isDeviceBound: protection.store.isDeviceBound,
            thieves: Thieves(of: protection))
    }
}
