/// The exit status and the output of a command.
struct Outcome {
    let status: Int32
    let output: String
    let errors: String
}
