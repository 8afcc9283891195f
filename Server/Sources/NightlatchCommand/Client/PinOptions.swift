import ArgumentParser
import Nightlatch

/// Where a PIN comes from: never from an argument or the environment, which other programs can see.
struct PinOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the PIN as a line from this open file descriptor instead of the terminal.",
            valueName: "number"))
    var pinFd: Int32?

    /// The PIN that someone types after `question`, or that stands in the next line of the descriptor.
    func readPin(_ question: String) throws -> Pin {
        try PinReader(descriptor: pinFd).read(question)
    }

    /// A new PIN; at the terminal it is asked for twice.
    func readNewPin(_ question: String = "New PIN: ") throws -> Pin {
        let pin = try readPin(question)
        guard pinFd == nil else { return pin }
        let repeated = try readPin("The same once more: ")
        guard pin.isEqual(to: repeated) else {
            throw CommandFailure(.usage, "The two are not the same. Nothing was changed.")
        }
        return pin
    }
}
