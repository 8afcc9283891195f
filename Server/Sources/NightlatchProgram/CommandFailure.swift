/// The error with which a command ends.
package struct CommandFailure: Error {
    package let exit: CommandExit
    /// The message for stderr. It names the problem and the next step.
    package let message: String

    package init(_ exit: CommandExit, _ message: String) {
        self.exit = exit
        self.message = message
    }
}
