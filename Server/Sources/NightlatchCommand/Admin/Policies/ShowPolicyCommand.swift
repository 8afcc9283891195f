import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin policy show`
struct ShowPolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the policy of an app or of a user.",
        discussion: "With --app and --user: the policy that the user’s devices get at this app, from both together.")

    @OptionGroup var policy: PolicyOptions

    func run() async throws {
        guard case (let client?, let user?) = try policy.subjects() else {
            let subject = try policy.subject()
            return policy.print(
                try await policy.options.administer { administration throws(AdministrationError) in
                    try await administration.policy(of: subject)
                }, of: subject)
        }
        let effective = try await policy.options.administer { administration throws(AdministrationError) in
            try await administration.effectivePolicy(of: user, at: client)
        }
        guard let effective else {
            return StandardStream.writeLine(
                policy.json ? "{}" : "\(user.rawValue)  has no policy at \(client.rawValue)", to: .standardOutput)
        }
        if policy.json { return EffectivePolicyReport(effective, of: user, at: client).printJSON() }
        var table = Table(of: effective.policy)
        table.add("revision", String(effective.revision.rawValue))
        table.print()
    }
}
