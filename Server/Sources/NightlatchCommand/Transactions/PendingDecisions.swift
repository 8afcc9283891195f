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

    /// The transaction or the login with an id.
    enum Found {
        case transaction(PendingTransaction)
        case login(PendingRemoteLogin)
    }

    /// Reads the transaction or the login with this id. Nil if neither is pending.
    ///
    /// The logins are only read if no transaction has the id, so a fault there stops no transaction.
    static func find(_ id: PendingID, in session: Session) async throws(CommandFailure) -> Found? {
        do {
            if let found = try await session.pendingTransactions().first(where: { $0.id == id.transaction }) {
                return .transaction(found)
            }
            return try await session.pendingRemoteLogins().logins.first { $0.id == id.login }.map(Found.login)
        } catch {
            throw CommandFailure(error)
        }
    }

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
