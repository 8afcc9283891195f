import ArgumentParser
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin policy set`
struct SetPolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change the members of a policy that the options name.",
        discussion: """
            A user’s policy replaces the app’s policy member by member. An empty text removes a member. Devices get the \
            policy at the next login or refresh, and apply it to the next PIN that is set.
            """)

    @OptionGroup var policy: PolicyOptions

    @Option(help: "The numbers of digits of new PINs: one from 4 to 12, or a range such as 6-8.")
    var pinLengths: String?

    @Option(help: "The least number of different digits in a new PIN, from 2 to 5.")
    var pinDistinctDigits: String?

    @Option(help: "The policy for wrong PINs: login, payment, wallet or enterprise.")
    var lockoutPolicy: String?

    @Option(help: "What may open the vault: pin, or pin,biometrics.")
    var authenticators: String?

    @Option(help: "Whether the device key must be in hardware: preferred or required.")
    var hardware: String?

    @Option(help: "Where a new PIN may be tested: one or more of local, two_party and chip, with commas.")
    var pinTiers: String?

    @Option(help: "The oldest version of the app that may be used, such as 2.10.1.")
    var leastAppVersion: String?

    func run() async throws {
        let subject = try policy.subject()
        let change = try change()
        policy.print(
            try await policy.options.administer { administration throws(AdministrationError) in
                try await administration.changePolicy(of: subject, change)
            }, of: subject)
    }

    /// The change that the options make. The texts are checked before the store is opened.
    private func change() throws(CommandFailure) -> (Policy) -> Policy {
        let options: [(Policy.Member, String?)] = [
            (.pinLengths, pinLengths), (.distinctDigits, pinDistinctDigits), (.lockoutPolicy, lockoutPolicy),
            (.authenticators, authenticators), (.hardware, hardware), (.pinTiers, pinTiers),
            (.leastAppVersion, leastAppVersion),
        ]
        let texts = PolicyTexts(
            Dictionary(uniqueKeysWithValues: options.compactMap { member, text in text.map { (member, $0) } }))
        if texts.texts.isEmpty { throw CommandFailure(.usage, "No option names a member to change.") }
        let named: Policy
        do {
            named = try texts.applied(to: Policy())
        } catch {
            throw CommandFailure(.usage, error.description)
        }
        let members = Array(texts.texts.keys)
        return { $0.replacing(members, with: named) }
    }
}

/// `nightlatch admin policy remove`
struct RemovePolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the policy of an app or of a user.",
        discussion: "Devices that had its members learn of the removal at the next login or refresh.")

    @OptionGroup var policy: PolicyOptions

    func run() async throws {
        let subject = try policy.subject()
        policy.print(
            try await policy.options.administer { administration throws(AdministrationError) in
                try await administration.changePolicy(of: subject) { _ in Policy() }
            }, of: subject)
    }
}
