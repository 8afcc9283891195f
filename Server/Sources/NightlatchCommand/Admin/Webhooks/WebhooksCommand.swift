import ArgumentParser
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin webhooks …`
struct WebhooksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract:
            "Send events to other programs over HTTP: list, add and change receivers, see what was not delivered.",
        discussion: "Running servers deliver the events. They use a change at once.",
        subcommands: [
            ListWebhooksCommand.self, AddWebhookCommand.self, ChangeWebhookCommand.self,
            RotateWebhookSecretCommand.self, PauseWebhookCommand.self, ResumeWebhookCommand.self,
            RemoveWebhookCommand.self, TestWebhookCommand.self, DeliveriesCommand.self, RedeliverCommand.self,
            DiscardCommand.self,
        ])
}

/// `nightlatch admin webhooks list`
struct ListWebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all webhooks, with the numbers of events that wait and of dead letters.")

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let reports = try await options.administer { administration throws(AdministrationError) in
            var reports: [WebhookReport] = []
            for stored in try await administration.webhooks() {
                let figures = try await administration.webhookFigures(of: stored.webhook.id)
                reports.append(WebhookReport(stored, figures: figures))
            }
            return reports
        }
        if json { return WebhookListReport(webhooks: reports).printJSON() }
        var table = Table("WEBHOOK", "STATE", "WAITING", "DEAD", "EVENTS", "URL", "NAME")
        for report in reports {
            let webhook = report.stored.webhook
            table.add(
                webhook.id.rawValue, webhook.state, report.waiting, report.dead, webhook.events, webhook.url.rawValue,
                webhook.name.rawValue)
        }
        table.print()
    }
}

/// The webhooks in the output of `--json`.
private struct WebhookListReport: Encodable {
    let webhooks: [WebhookReport]
}
