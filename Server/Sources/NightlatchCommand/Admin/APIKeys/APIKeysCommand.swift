import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin api-keys …`
struct APIKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-keys",
        abstract: "Create, list and revoke the API keys of backends and of operators’ programs.",
        discussion: """
            A program sends its token as a bearer token: Authorization: Bearer nlk_… . Each key has a name, which the \
            audit log gets with each action, and scopes. To replace a key, create another one, give it to the \
            program, then revoke the old one: both work until then.
            """,
        subcommands: [CreateAPIKeyCommand.self, ListAPIKeysCommand.self, RevokeAPIKeyCommand.self])
}

/// `nightlatch admin api-keys list`
struct ListAPIKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys that are not revoked, oldest first, then those that were revoked last.")

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let keys = try await options.administer { administration throws(AdministrationError) in
            try await administration.apiKeys()
        }
        let now = WallClock.system.now()
        if json { return PageReport(entries: keys.map { APIKeyReport($0, at: now) }, next: nil).printJSON() }
        var table = Table("KEY", "STATE", "CREATED", "CREATED BY", "EXPIRES", "NAME", "SCOPES")
        for key in keys {
            table.add(
                key.id.rawValue, key.state(at: now).rawValue, key.createdAt.shown,
                key.createdBy?.rawValue ?? "command", key.expiresAt?.shown ?? "never", key.name.rawValue, key.scopes.document)
        }
        table.print()
    }
}

/// `nightlatch admin api-keys revoke`
struct RevokeAPIKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a key for good.",
        discussion: """
            Every server that uses the database refuses the key at the next request. Keys that it has created stay \
            valid: the list names the creator of each. Idempotent.
            """)

    @Argument(help: "The key’s id, from the list.")
    var key: String

    @Option(help: "The reason, for the audit log, such as the number of a ticket.")
    var reason: String?

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        guard let id = APIKeyID(rawValue: key) else {
            throw CommandFailure(.usage, "This is not an API key’s id, which has \(APIKeyIDRule.requirement).")
        }
        let reason = try reason.map { text throws(CommandFailure) in
            guard let reason = AuditReason(rawValue: text) else {
                throw CommandFailure(.usage, "--reason must be \(AuditReasonRule.requirement). Nothing was revoked.")
            }
            return reason
        }
        let revoked = try await options.administer { administration throws(AdministrationError) in
            try await administration.because(reason).revokeAPIKey(id)
        }
        if json { return APIKeyReport(revoked, at: WallClock.system.now()).printJSON() }
        StandardStream.writeLine("\(revoked.id)  revoked  \(revoked.name)", to: .standardOutput)
    }
}
