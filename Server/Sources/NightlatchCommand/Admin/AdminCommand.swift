import ArgumentParser

/// `nightlatch admin`: the requests of an app's backend, run by hand, and operations on the store.
struct AdminCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Work for the operator.",
        subcommands: [
            EnrolmentCodeCommand.self, TransactionCommand.self, UsersCommand.self, UserDevicesCommand.self,
            JourneyKeysCommand.self, JourneySessionsCommand.self, UserTransactionsCommand.self,
            AppsCommand.self, APIKeysCommand.self, OperatorsCommand.self, WebhooksCommand.self, AuditEntriesCommand.self,
            PolicyCommand.self, RotateSigningKeyCommand.self, RotateMasterKeyCommand.self,
            ForgetSigningKeysCommand.self, BackupCommand.self, RestoreCommand.self, AcceptRestoreCommand.self,
        ]
    )
}
