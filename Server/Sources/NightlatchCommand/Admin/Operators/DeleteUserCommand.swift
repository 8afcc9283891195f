import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin users delete`
struct DeleteUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a user and everything that the server keeps about them. This cannot be undone.",
        discussion: """
            Logins, tokens, sessions and journeys of the user end at once, and pending transactions disappear. The \
            entries of the audit log stay, under a pseudonym that the command prints. Export the user first if you may \
            need the records.
            """)

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "The user's id again, to confirm the deletion.")
    var confirm: String

    @Option(help: "The reason, for the audit log, such as the number of a ticket. Do not name the user.")
    var reason: String

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let id = try BackendOptions.user(user)
        guard confirm == user else {
            throw CommandFailure(.usage, "--confirm must repeat the user’s id. Nothing was deleted.")
        }
        guard let reason = AuditReason(rawValue: reason) else {
            throw CommandFailure(.usage, "--reason must be \(AuditReasonRule.requirement). Nothing was deleted.")
        }
        let deletion = try await options.administer { administration throws(AdministrationError) in
            try await administration.deleteUser(id, because: reason)
        }
        if json { return UserDeletionReport(deletion).printJSON() }
        for line in deletion.lines { StandardStream.writeLine(line, to: .standardOutput) }
    }
}

extension UserDeletion {
    fileprivate var lines: [String] {
        let records =
            "deleted: devices \(devices), keys of journeys \(journeyKeys), sessions of journeys \(journeySessions), access "
            + "of apps \(appGrants), transactions \(transactions), remote logins \(remoteLogins)"
        let audit = "audit log: \(erasedEntries) entries no longer name the user, and are filed under \(pseudonym)"
        let named =
            "audit log: \(namedEntries) entries that an earlier version wrote still name the user, because the hashes of "
            + "their chains contain the name"
        return [records, audit] + (namedEntries > 0 ? [named] : [])
    }
}
