import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin api-keys create`
struct CreateAPIKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a key, and print its token on stdout. The token is not shown again.",
        discussion: "Scopes:\n"
            + APIScope.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))

    @Argument(help: "The name, such as “shop 2027-01”. No other key has it that is not revoked.")
    var name: String

    @Option(
        name: .customLong("scope"),
        help: "What the key may do. Repeat the option for several scopes; `all` for all of them.")
    var scopes: [String] = []

    @Option(help: "The number of days after which the key is refused. (default: never)")
    var days: Int?

    @Flag(help: "Print one line of JSON, with the token.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        guard let name = APIKeyName(rawValue: name) else {
            throw CommandFailure(.usage, "The name must be \(APIKeyNameRule.requirement).")
        }
        let scopes = try scopeSet()
        let now = WallClock.system.now()
        let expiresAt = try days.map { days throws(CommandFailure) in
            guard (1...36_500).contains(days) else {
                throw CommandFailure(.usage, "--days takes 1 to 36500, not \(days).")
            }
            return now + .seconds(days * 86_400)
        }
        let (key, token) = try await options.administer { administration throws(AdministrationError) in
            try await administration.createAPIKey(name, scopes: scopes, expiresAt: expiresAt)
        }
        if json {
            APIKeyReport(key, at: now, token: token).printJSON()
        } else {
            StandardStream.writeLine(token.rawValue, to: .standardOutput)
        }
        for line in [
            "Key \(key.id), “\(key.name.rawValue.withEscapes)”: \(key.scopes.document).",
            "The token is not shown again: keep it now.",
        ] {
            StandardStream.writeLine(line, to: .standardError)
        }
    }

    private func scopeSet() throws(CommandFailure) -> Set<APIScope> {
        guard !scopes.isEmpty else {
            throw CommandFailure(.usage, "--scope is missing. See `nightlatch admin api-keys create --help`.")
        }
        if scopes == ["all"] { return Set(APIScope.allCases) }
        var found: Set<APIScope> = []
        for text in scopes {
            guard let scope = APIScope(rawValue: text) else {
                throw CommandFailure(
                    .usage,
                    "“\(text)” is no scope. The scopes are: \(Set(APIScope.allCases).document).")
            }
            found.insert(scope)
        }
        return found
    }
}
