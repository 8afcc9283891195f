import ArgumentParser

/// `nightlatch audit`: exports the heads of the audit log, and verifies the log.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Export how far the audit log has come, and find out whether it is whole.",
        subcommands: [ExportAuditHeadsCommand.self, VerifyAuditCommand.self]
    )
}
