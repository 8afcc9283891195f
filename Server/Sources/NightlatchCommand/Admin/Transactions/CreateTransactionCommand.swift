import ArgumentParser
import Foundation
import NightlatchPlatform
import NightlatchProgram
import NightlatchWire

/// `nightlatch admin transaction create`: asks a user to confirm a transaction, and prints its id.
struct CreateTransactionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Ask a user to confirm a transaction, and print its id.",
        discussion: "After a lost answer, run it again with the printed id: that creates no second transaction."
    )

    @Option(help: "The user who decides.")
    var user: String

    @Option(help: "The amount, such as 129.90.")
    var amount: String

    @Option(help: "The currency's three letters.")
    var currency: String

    @Option(help: "The payee.")
    var payee: String

    @Option(
        help: ArgumentHelp("Another line to show; can be repeated.", valueName: "label=value"))
    var line: [String] = []

    @Option(
        help: ArgumentHelp("A device that may decide, instead of all; can be repeated.", valueName: "id"))
    var device: [String] = []

    @Option(help: "The number of minutes in which it can be decided.")
    var minutes = 5

    @Option(help: "The id, to ask for the same transaction again. It needs --expires-at too.")
    var id: String?

    @Option(help: ArgumentHelp("The time at which it expires, in seconds since 1970, instead of --minutes."))
    var expiresAt: Int?

    @OptionGroup var options: BackendOptions

    func run() async throws {
        let request = TransactionRequest(
            id: try id.map { try TransactionID.parse($0) } ?? .random(), user: try BackendOptions.user(user),
            devices: try addressees(), details: try details())
        let backend = try options.backend()
        StandardStream.writeLine(
            "asking with --id \(request.id) --expires-at \(request.details.expiresAt.secondsSince1970)",
            to: .standardError)
        do {
            let report = try await backend.create(request)
            StandardStream.writeLine(report.id.rawValue, to: .standardOutput)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func addressees() throws(CommandFailure) -> TransactionAddressees {
        guard !device.isEmpty else { return .allDevices }
        var ids: Set<DeviceID> = []
        for text in device {
            guard let id = DeviceID(rawValue: text) else {
                throw CommandFailure(.usage, "“\(text)” is not a device id, which has 32 digits 0 to 9 and a to f.")
            }
            ids.insert(id)
        }
        return .devices(ids)
    }

    private func details() throws(CommandFailure) -> TransactionDetails {
        guard let amount = MoneyAmount(rawValue: amount) else {
            throw CommandFailure(
                .usage, "“\(amount)” is not an amount such as 129.90, with at most four digits after the point.")
        }
        guard let currency = CurrencyCode(rawValue: currency) else {
            throw CommandFailure(.usage, "“\(currency)” is not a currency, which has three capital letters.")
        }
        guard let payee = Payee(rawValue: payee) else {
            throw CommandFailure(.usage, "The payee has 1 to 140 characters, without control characters.")
        }
        guard minutes > 0 else { throw CommandFailure(.usage, "--minutes takes a number above zero.") }
        let shownLines = try lines()
        let expiry =
            expiresAt.map(NumericDate.init(secondsSince1970:))
            ?? NumericDate(Date()) + .seconds(60) * min(minutes, 1_000_000)
        do {
            return try TransactionDetails(
                amount: amount, currency: currency, payee: payee, lines: shownLines, expiresAt: expiry)
        } catch {
            throw CommandFailure(
                .usage,
                "A transaction has at most \(TransactionDetails.lineCountLimit) lines and \(TransactionDetails.byteCountLimit) bytes, and ends before the year 10000."
            )
        }
    }

    private func lines() throws(CommandFailure) -> [TransactionDetails.Line] {
        var lines: [TransactionDetails.Line] = []
        for text in line {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let label = LineLabel(rawValue: parts[0]), let value = LineValue(rawValue: parts[1])
            else {
                throw CommandFailure(
                    .usage, "“\(text)” is not a line: up to 40 characters, “=”, and up to 200 characters.")
            }
            lines.append(TransactionDetails.Line(label: label, value: value))
        }
        return lines
    }
}
