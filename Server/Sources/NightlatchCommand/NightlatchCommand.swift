import ArgumentParser
import NightlatchProgram

/// The command line of Nightlatch.
@main
struct NightlatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nightlatch",
        abstract: "A vault behind a PIN, device binding and login, and the relying party they speak to.",
        version: Release.version,
        subcommands: [
            BindCommand.self, UnlockCommand.self, PinCommand.self, LoginCommand.self, DevicesCommand.self,
            PendingTransactionsCommand.self, ConfirmCommand.self, DoctorCommand.self, AttackCostCommand.self,
            DemoCommand.self, ServeCommand.self, HealthCommand.self, AdminCommand.self, AuditCommand.self,
        ]
    )

    static func main() async { await runToExit { () throws(CommandFailure) in try EnvironmentNames.refuseUnknown() } }
}
