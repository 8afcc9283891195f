/// The error with which a command ends.
package struct CommandFailure: Error {
    let exit: CommandExit
    /// The message for stderr. It names the problem and the next step.
    let message: String

    init(_ exit: CommandExit, _ message: String) {
        self.exit = exit
        self.message = message
    }

    static let noEnrolmentCode = CommandFailure(
        .usage, "That is no enrolment code: it has five groups of four characters. Is one mistyped?")
}
