import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// The options that select an app or a user, and the output format.
struct PolicyOptions: ParsableArguments {
    @Option(help: "The id of the app whose policy it is.")
    var app: String?

    @Option(help: "The id of the user whose policy it is.")
    var user: String?

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    /// The app and the user that the options name, of which at least one is there.
    func subjects() throws(CommandFailure) -> (app: ClientID?, user: UserID?) {
        let client = try app.map { text throws(CommandFailure) in try AppOptions.id(text) }
        let user = try user.map { text throws(CommandFailure) in try BackendOptions.user(text) }
        guard client != nil || user != nil else { throw CommandFailure(.usage, "Name --app or --user.") }
        return (client, user)
    }

    /// The one app or user that the options name.
    func subject() throws(CommandFailure) -> PolicySubject {
        switch try subjects() {
        case (let client?, nil): return .app(client)
        case (nil, let user?): return .user(user)
        default: throw CommandFailure(.usage, "Name either --app or --user.")
        }
    }

    /// Prints the policy of an app or a user.
    func print(_ stored: StoredPolicy?, of subject: PolicySubject) {
        if json { return PolicyReport(stored, of: subject).printJSON() }
        guard let stored, !stored.policy.isEmpty else {
            return StandardStream.writeLine("\(subject.id)  has no policy", to: .standardOutput)
        }
        var table = Table(of: stored.policy)
        table.add("revision", String(stored.revision.rawValue))
        table.add("changed_at", stored.changedAt.shown)
        table.add("changed_by", stored.changedBy.rawValue)
        table.print()
    }
}

extension Table {
    init(of policy: Policy) {
        self.init("MEMBER", "VALUE")
        for (member, value) in policy.facts { add(member.rawValue, value) }
    }
}
