import ArgumentParser
import Foundation
import NightlatchWire

/// An enrolment code, from an argument or from standard input. Other programs can read arguments while the command runs.
struct EnrolmentCodeOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The enrolment code; '-' reads it as a line from standard input.",
            discussion: "Other users of this machine can see arguments: there, use '-'.", valueName: "code"))
    var code: String?

    /// The code that was given, or nil if there is none.
    ///
    /// - Throws: ``CommandFailure`` if it is no code or standard input cannot be read.
    func given() throws(CommandFailure) -> EnrolmentCode? {
        guard let code else { return nil }
        return try parse(code == "-" ? readLine() : code)
    }

    /// The code that was given, or else the one that a person types.
    ///
    /// - Throws: As ``given()``.
    func givenOrTyped() throws(CommandFailure) -> EnrolmentCode {
        if let code = try given() { return code }
        StandardStream.writeLine("Enrolment code:", to: .standardError)
        return try parse(readLine())
    }

    private func parse(_ text: String?) throws(CommandFailure) -> EnrolmentCode {
        guard let text, let code = EnrolmentCode(text) else { throw .noEnrolmentCode }
        return code
    }

    /// One line of standard input and not a byte more: the next one may be a PIN.
    private func readLine() throws(CommandFailure) -> String? {
        do {
            return try ByteReader(descriptor: STDIN_FILENO).line(limit: 256)
        } catch {
            throw CommandFailure(.usage, "The enrolment code cannot be read from standard input: \(error).")
        }
    }
}
