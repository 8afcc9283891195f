import Foundation
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// Everything that waits for the user's decision.
struct PendingDecisions {
    private let transactions: [PendingTransaction]
    private let logins: PendingRemoteLogins

    /// Reads the lists from the server.
    init(of session: Session) async throws(CommandFailure) {
        do {
            transactions = try await session.pendingTransactions()
            logins = try await session.pendingRemoteLogins()
        } catch {
            throw CommandFailure(error)
        }
    }

    func transaction(_ id: TransactionID) -> PendingTransaction? { transactions.first { $0.id == id } }

    func login(_ id: RemoteLoginID) -> PendingRemoteLogin? { logins.logins.first { $0.id == id } }

    /// Prints the lists, and a warning if an attacker may be asking for logins.
    func tell() {
        let entries =
            transactions.map { ($0.id.rawValue, $0.details.shownLines) }
            + logins.logins.map { ($0.id.rawValue, $0.details.shownLines) }
        for (id, lines) in entries {
            StandardStream.writeLine(id, to: .standardOutput)
            for line in lines { StandardStream.writeLine("    " + line, to: .standardOutput) }
        }
        if entries.isEmpty {
            StandardStream.writeLine("You have no pending transactions or logins.", to: .standardError)
        }
        if logins.isLimitReached {
            StandardStream.writeLine(
                "NOTE: as many logins were requested for you as the server allows at a time. Reject every login that you "
                    + "did not begin yourself: an attacker may hope that you confirm one.",
                to: .standardError)
        }
    }
}
