import ArgumentParser
import Foundation
import NightlatchLoginPage
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin operators add`
struct AddOperatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an operator, and print a code with which they bind a phone, within ten minutes.",
        discussion: """
            An unknown user is created. Give each operator a user of their own, for the console alone: the devices that \
            a user already has can sign in too. Unused enrolment codes of the user become invalid, and backends can no \
            longer create some.
            """)

    @Argument(help: "The user of the operator.")
    var user: String

    @Option(help: "The name that the audit log shows.")
    var name: String

    @Option(help: "The role: viewer, support, security or owner.")
    var role: String

    @OptionGroup var reason: ReasonOption
    @OptionGroup var code: OperatorCodeOptions

    func run() async throws {
        let user = try BackendOptions.user(user)
        let change = OperatorChange.add(
            name: try OperatorOutput.name(name), role: try OperatorOutput.role(role))
        let reason = try reason.checked()
        try await code.print(of: user) { administration throws(AdministrationError) in
            try await administration.because(reason).change(change, of: user, keepingOwner: false)
        }
    }
}

/// `nightlatch admin operators code`
struct OperatorCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code",
        abstract: "Print a code with which an operator binds another phone, within ten minutes.",
        discussion: "For example after the old phone was lost. Revoke the lost one: `nightlatch admin devices revoke`.")

    @Argument(help: "The user of the operator.")
    var user: String

    @OptionGroup var code: OperatorCodeOptions

    func run() async throws {
        let user = try BackendOptions.user(user)
        try await code.print(of: user) { administration throws(AdministrationError) in
            try await administration.operatorRecord(of: user)
        }
    }
}

/// The options of commands that print an operator's enrolment code.
struct OperatorCodeOptions: ParsableArguments {
    /// The same as for the codes of a server without other settings.
    private static let codeLife: Duration = .seconds(10 * 60)

    @Flag(help: "Also print the code as a QR code, for the camera of the phone.")
    var qr = false

    @Flag(help: "Print one line of JSON, with the code.")
    var json = false

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var masterKeyOptions: MasterKeyOptions

    /// Gets the operator from `work`, and prints a new code on stdout and the operator on stderr.
    func print(
        of user: UserID, _ work: (Administration) async throws(AdministrationError) -> Operator
    ) async throws {
        // Before anything is written.
        let masterKey = try masterKeyOptions.masterKey()
        let (person, grant) = try await options.administer {
            administration throws(AdministrationError) -> (Operator, EnrolmentCodeGrant) in
            let person = try await work(administration)
            let grant = try await administration.createCode(
                forOperator: user, under: masterKey, life: Self.codeLife)
            return (person, grant)
        }
        if json { return OperatorReport(person, code: grant).printJSON() }
        let text = grant.code.groupedText
        StandardStream.writeLine(
            "Operator “\(person.name.rawValue.withEscapes)”, user \(person.user), \(person.role.rawValue). The code binds a phone:",
            to: .standardError)
        StandardStream.writeLine(text, to: .standardOutput)
        guard qr, let drawing = QRCode(text) else { return }
        for line in drawing.terminalLines { StandardStream.writeLine(line, to: .standardOutput) }
    }
}
