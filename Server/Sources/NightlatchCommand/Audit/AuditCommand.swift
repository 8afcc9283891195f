import ArgumentParser

/// `nightlatch audit`: exports the heads of the audit log, and verifies the log.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Export the heads of the audit log, and verify the log.",
        subcommands: [ExportAuditHeadsCommand.self, VerifyAuditCommand.self]
    )
}
