import ArgumentParser
import Foundation
import Nightlatch
import NightlatchProgram
import NightlatchWire

/// `nightlatch confirm`: shows a transaction or a login elsewhere, and signs the user's decision.
struct ConfirmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Shows a pending transaction or login, and confirms or rejects it.",
        discussion: """
            The command asks for the PIN twice: to get the details from the server, and, after they were shown, for this \
            decision. With --pin-fd, give two lines.

            Without an id and --code, the command lists what waits for your decision, as `nightlatch transactions` does.

            Confirm a login only if you opened its login page yourself. The page shows a number, which the command asks for.
            """)

    @Argument(help: "The id of a transaction or login, as `nightlatch transactions` lists it.")
    var id: String?

    @Flag(help: "Reject it instead.")
    var reject = false

    @OptionGroup var login: RemoteLoginOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    func run() async throws {
        // Before the user types a PIN, and before a code is claimed.
        try login.check(id: id, reject: reject)
        let id = try id.map(PendingID.init)
        let home = try client.clientHome()
        let open = try await OpenClient.unlock(home, pins)
        let code = try login.scannedCode(at: try await open.binding().issuer)
        let session = try await open.resume()
        await open.vault.lock()
        if let code {
            try await decide(login: try await claim(code, in: session), in: session, of: home)
        } else if let id {
            switch try await PendingDecisions.find(id, in: session) {
            case .transaction(let transaction): try await decide(transaction, in: session, of: home)
            case .login(let found): try await decide(login: found, in: session, of: home)
            case nil:
                throw CommandFailure(
                    .refused,
                    "No transaction or login with this id is pending for this device. `nightlatch transactions` lists "
                        + "what is pending.")
            }
        } else {
            try await PendingDecisions(of: session).tell()
        }
    }

    private func claim(_ code: RemoteLoginCode, in session: Session) async throws(CommandFailure) -> PendingRemoteLogin
    {
        do {
            return try await session.claimRemoteLogin(code)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func decide(_ transaction: PendingTransaction, in session: Session, of home: ClientHome) async throws {
        show(transaction.details.shownLines)
        guard reject || transaction.canBeShown else { throw CommandFailure(DecisionError.cannotBeShown) }
        _ = try login.number(isNeeded: false, asks: false)
        try await decide(
            .transaction(transaction), id: transaction.id.rawValue, showing: transaction.details.shownLines,
            in: session, of: home)
    }

    private func decide(login found: PendingRemoteLogin, in session: Session, of home: ClientHome) async throws {
        show(found.details.shownLines)
        let number = try login.number(isNeeded: !reject && found.details.hasNumber, asks: pins.pinFd == nil)
        try await decide(
            .login(found, number: number), id: found.id.rawValue, showing: found.details.shownLines, in: session,
            of: home)
    }

    private func show(_ lines: [String]) {
        for line in lines { StandardStream.writeLine(line, to: .standardError) }
    }

    private func decide(
        _ subject: DecisionSubject,
        id: String,
        showing lines: [String],
        in session: Session,
        of home: ClientHome
    ) async throws {
        let question = [reject ? "to reject this:" : "to confirm this:"] + lines
        try await pins.decide(
            reject ? .reject : .confirm, on: subject, in: session, vault: try await home.presentVault(),
            keys: home.keys, reason: question.joined(separator: "\n"))
        StandardStream.writeLine("\(id)  \(reject ? "rejected" : "confirmed")", to: .standardOutput)
    }
}
