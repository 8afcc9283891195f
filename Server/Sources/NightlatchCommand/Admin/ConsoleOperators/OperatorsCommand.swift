import ArgumentParser
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin operators …`
struct OperatorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operators",
        abstract: "Add, list, change and remove the operators who sign in to the console with a phone.",
        discussion: "Roles:\n"
            + OperatorRole.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"),
        subcommands: [
            AddOperatorCommand.self, OperatorCodeCommand.self, ListOperatorsCommand.self, ChangeOperatorCommand.self,
            RemoveOperatorCommand.self,
        ])
}

/// `nightlatch admin operators list`
struct ListOperatorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the operators, in the order of their user ids.")

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let operators = try await options.administer { administration throws(AdministrationError) in
            try await administration.operators()
        }
        if json { return PageReport(entries: operators.map { OperatorReport($0) }, next: nil).printJSON() }
        Table(of: operators).print()
    }
}

/// `nightlatch admin operators change`
struct ChangeOperatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Give an operator another name or role, from the next click in the console on.")

    @Argument(help: "The user of the operator.")
    var user: String

    @Option(help: "The new name.")
    var name: String?

    @Option(help: "The new role: viewer, support, security or owner.")
    var role: String?

    @OptionGroup var reason: ReasonOption
    @OptionGroup var output: OperatorOutput

    func run() async throws {
        guard name != nil || role != nil else {
            throw CommandFailure(.usage, "--name and --role are missing. Nothing was changed.")
        }
        let change = OperatorChange.change(
            name: try name.map(OperatorOutput.name), role: try role.map(OperatorOutput.role))
        try await output.make(change, of: user, because: reason.checked())
    }
}

/// `nightlatch admin operators remove`
struct RemoveOperatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an operator, and end their sessions in the console.",
        discussion: "The user and their devices stay. This command also removes the last owner.")

    @Argument(help: "The user of the operator.")
    var user: String

    @OptionGroup var reason: ReasonOption
    @OptionGroup var output: OperatorOutput

    func run() async throws { try await output.make(.remove, of: user, because: reason.checked()) }
}

/// The reason of a change.
struct ReasonOption: ParsableArguments {
    @Option(help: "The reason, for the audit log, such as the number of a ticket.")
    var reason: String?

    func checked() throws(CommandFailure) -> AuditReason? {
        guard let reason else { return nil }
        guard let reason = AuditReason(rawValue: reason) else {
            throw CommandFailure(.usage, "--reason must be \(AuditReasonRule.requirement). Nothing was changed.")
        }
        return reason
    }
}

/// The store and the output of commands that change an operator.
struct OperatorOutput: ParsableArguments {
    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    /// Makes `change` and prints the operator: as they are now, or as they were before a removal.
    func make(_ change: OperatorChange, of user: String, because reason: AuditReason?) async throws {
        let user = try BackendOptions.user(user)
        let person = try await options.administer { administration throws(AdministrationError) in
            // Who has the database has everything, so the terminal may leave the console without an owner.
            try await administration.because(reason).change(change, of: user, keepingOwner: false)
        }
        if json { OperatorReport(person).printJSON() } else { Table(of: [person]).print() }
    }

    static func name(_ text: String) throws(CommandFailure) -> PartyName {
        guard let name = PartyName(rawValue: text) else {
            throw CommandFailure(.usage, "--name must be \(PartyNameRule.requirement).")
        }
        return name
    }

    static func role(_ text: String) throws(CommandFailure) -> OperatorRole {
        guard let role = OperatorRole(rawValue: text) else {
            let roles = OperatorRole.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.usage, "--role must be one of \(roles).")
        }
        return role
    }
}

extension Table {
    init(of operators: [Operator]) {
        self.init("USER", "ROLE", "SINCE", "NAME")
        for person in operators {
            add(person.user.rawValue, person.role.rawValue, person.addedAt.shown, person.name.rawValue)
        }
    }
}
