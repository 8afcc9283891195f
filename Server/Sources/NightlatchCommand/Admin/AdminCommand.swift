import ArgumentParser

/// `nightlatch admin`: what the app's backend does, by hand.
struct AdminCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Work for the operator.",
        subcommands: [
            EnrolmentCodeCommand.self, TransactionCommand.self, RotateSigningKeyCommand.self,
            ForgetSigningKeysCommand.self,
        ]
    )
}
