import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchWire

/// An enrolment code from an argument or from standard input. Standard input is safer: other programs can read the
/// arguments of a running command.
struct EnrolmentCodeOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The enrolment code; '-' reads it as a line from standard input.",
            discussion: "Other users of this machine can see arguments: there, use '-'.", valueName: "code"))
    var code: String?

    /// Returns the code from the argument or standard input; nil if the option was not given.
    ///
    /// - Throws: ``CommandFailure`` if the text is no code, or if standard input cannot be read.
    func given() throws(CommandFailure) -> EnrolmentCode? {
        guard let code else { return nil }
        return try parse(code == "-" ? readLine() : code)
    }

    /// Returns the code from the option, or else asks the user to type it.
    ///
    /// - Throws: The errors of ``given()``.
    func givenOrTyped() throws(CommandFailure) -> EnrolmentCode {
        if let code = try given() { return code }
        StandardStream.writeLine("Enrolment code:", to: .standardError)
        return try parse(readLine())
    }

    private func parse(_ text: String?) throws(CommandFailure) -> EnrolmentCode {
        guard let text, let code = EnrolmentCode(text) else { throw .noEnrolmentCode }
        return code
    }

    /// Reads one line of standard input and nothing after it: the next line may be a PIN.
    private func readLine() throws(CommandFailure) -> String? {
        do {
            return try ByteReader(descriptor: STDIN_FILENO).line(limit: 256)
        } catch {
            throw CommandFailure(.usage, "The enrolment code cannot be read from standard input: \(error).")
        }
    }
}

extension CommandFailure {
    fileprivate static let noEnrolmentCode = CommandFailure(
        .usage, "This is not an enrolment code, which has five groups of four characters. Check it for typing errors.")
}
