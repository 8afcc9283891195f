import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    func addTransactions(to routes: RouteGroup) {
        page(.transaction, on: routes) { request throws(ConsoleRefusal) in
            let transaction = try await transaction(of: request)
            return ConsolePage(
                template: .transaction, title: transaction.title, section: .users, parents: parents(of: transaction),
                content: TransactionContent(
                    transaction, links: links, mayVoid: request.caller.mayOpen(.voidTransaction)))
        }
        page(.voidTransaction, on: routes) { request throws(ConsoleRefusal) in
            let transaction = try await transaction(of: request)
            let address = links.transaction(transaction.id)
            return ConsolePage(
                template: .confirmation, title: "Void this transaction?", section: .users,
                parents: parents(of: transaction) + [.init(text: transaction.title, address: address)],
                content: ConfirmationContent(
                    facts: [
                        Fact("Transaction", transaction.title), Fact("User", transaction.user.rawValue),
                        Fact("Transaction id", transaction.id.rawValue),
                    ],
                    effects: [
                        "It can no longer be confirmed or rejected. This cannot be undone.",
                        "The app’s backend sees that it is voided the next time it asks.",
                    ],
                    action: links.link(.voidTransaction), fields: [Fact("id", transaction.id.rawValue)],
                    verb: "Void transaction", isGrave: true, back: address))
        }
        action(.voidTransaction, on: routes) { request throws(ConsoleRefusal) in
            let id: TransactionID = try request.identifier("id")
            let administration = administration(of: request, because: try request.reason())
            _ = try await administer { () async throws(AdministrationError) in
                try await administration.void(id)
            }
            return .done(
                at: links.link(
                    .transaction, ("id", id.rawValue),
                    (ConsoleMessage.field, ConsoleMessage.transactionVoided.rawValue)))
        }
    }

    private func transaction(of request: ConsoleRequest) async throws(ConsoleRefusal) -> RecordedTransaction {
        let id: TransactionID = try request.identifier("id")
        return try await administer { () async throws(AdministrationError) in
            try await administration.transaction(id)
        }
    }

    private func parents(of transaction: RecordedTransaction) -> [ConsolePage.Link] {
        [
            .init(text: "Users", address: links.link(.users)),
            .init(text: transaction.user.rawValue, address: links.user(transaction.user)),
        ]
    }
}

extension RecordedTransaction {
    fileprivate var title: String { "\(details.shownAmount) to \(details.payee.rawValue)" }
}

/// The values for the template of a transaction.
private struct TransactionContent {
    let state: String
    let user: String
    let userAddress: String
    let createdAt: ShownTime
    let expiresAt: ShownTime
    let endedAt: ShownTime?
    let addressees: String
    let id: String
    let decider: String
    let deciderAddress: String?
    let lines: [Fact]
    let voiding: String?

    init(_ transaction: RecordedTransaction, links: ConsoleLinks, mayVoid: Bool) {
        let details = transaction.details
        state = transaction.state.rawValue
        user = transaction.user.rawValue
        userAddress = links.user(transaction.user)
        createdAt = ShownTime(transaction.createdAt)
        expiresAt = ShownTime(details.expiresAt)
        endedAt = ShownTime(transaction.endedAt)
        addressees =
            switch transaction.addressees {
            case .allDevices: "any device of the user"
            case .devices(let devices): devices.map(\.rawValue).sorted().joined(separator: ", ")
            }
        id = transaction.id.rawValue
        decider = transaction.proof?.device.rawValue ?? ""
        deciderAddress = transaction.proof.map { links.device($0.device, of: transaction.user) }
        lines =
            [Fact("Amount", details.shownAmount), Fact("Payee", details.payee.rawValue)]
            + details.lines.map { Fact($0.label.rawValue, $0.value.rawValue) }
        voiding =
            mayVoid && transaction.state == .pending
            ? links.transaction(transaction.id, page: .voidTransaction) : nil
    }
}
