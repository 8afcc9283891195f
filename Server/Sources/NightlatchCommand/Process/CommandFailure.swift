/// A command did not do what it was asked to.
package struct CommandFailure: Error {
    let exit: CommandExit
    /// What to tell the person, on stderr: what is wrong and what to do.
    let message: String

    init(_ exit: CommandExit, _ message: String) {
        self.exit = exit
        self.message = message
    }

    static let noEnrolmentCode = CommandFailure(
        .usage, "That is no enrolment code: it has five groups of four characters. Is one mistyped?")
}
