import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchWire

/// The options to confirm a login elsewhere.
struct RemoteLoginOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The whole text of the QR code on a login page, instead of an id.", valueName: "text"))
    var code: String?

    @Option(
        help: ArgumentHelp(
            "The number on the login page. Without it, the command shows the login and asks.",
            discussion: "With --pin-fd the command does not ask.", valueName: "digits"))
    var number: String?

    /// Checks what can be checked before the login is known.
    ///
    /// - Parameters:
    ///   - id: The id that was given with the options.
    ///   - reject: Whether the decision is to reject.
    /// - Throws: ``CommandFailure`` if the options contradict each other, or if the number is malformed.
    func check(id: String?, reject: Bool) throws(CommandFailure) {
        guard id == nil || code == nil else { throw CommandFailure(.usage, "Give an id or --code, not both.") }
        guard number != nil else { return }
        _ = try parsedNumber(number)
        guard !reject else { throw CommandFailure(.usage, "--number is only to confirm a login, not to reject it.") }
        guard id != nil || code != nil else {
            throw CommandFailure(.usage, "--number is for one login: add its id or --code.")
        }
    }

    /// Returns the code from the option; nil if the option was not given.
    ///
    /// - Throws: ``CommandFailure`` if it is no code of a login page of `issuer`.
    func scannedCode(at issuer: Issuer) throws(CommandFailure) -> RemoteLoginCode? {
        guard let code else { return nil }
        guard let scanned = RemoteLoginCode(scanned: code, issuer: issuer) else {
            throw CommandFailure(
                .usage, "This is not the code of a login page of \(issuer), which begins with \(issuer)/login#.")
        }
        return scanned
    }

    /// Returns the number for a decision, from the option or from the user.
    ///
    /// - Parameters:
    ///   - isNeeded: Whether the decision needs a number.
    ///   - asks: Whether a user can be asked.
    /// - Throws: ``CommandFailure`` if the number is missing, malformed, or not needed.
    func number(isNeeded: Bool, asks: Bool) throws(CommandFailure) -> RemoteLoginNumber? {
        guard isNeeded else {
            guard number == nil else { throw CommandFailure(.usage, "--number is only for logins with a number.") }
            return nil
        }
        let entered = if number == nil, asks { try typedNumber() } else { number }
        return try parsedNumber(entered)
    }

    private func parsedNumber(_ text: String?) throws(CommandFailure) -> RemoteLoginNumber {
        guard let text else {
            throw CommandFailure(.usage, "The login page shows a number: add it with --number.")
        }
        guard let number = RemoteLoginNumber(rawValue: text) else {
            throw CommandFailure(.usage, "The number has two digits, such as 07. Nothing was decided.")
        }
        return number
    }

    /// Reads one line of standard input and nothing after it.
    private func typedNumber() throws(CommandFailure) -> String? {
        StandardStream.writeLine("Number on the login page:", to: .standardError)
        do {
            return try ByteReader(descriptor: STDIN_FILENO).line(limit: 16)
        } catch {
            throw CommandFailure(.usage, "The number cannot be read from standard input: \(error).")
        }
    }
}
