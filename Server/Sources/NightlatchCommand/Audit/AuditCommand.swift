import ArgumentParser

/// `nightlatch audit`: whether the audit log is what was written.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Export how far the audit log has come, and find out whether it is whole.",
        subcommands: [ExportAuditHeadsCommand.self, VerifyAuditCommand.self]
    )
}
