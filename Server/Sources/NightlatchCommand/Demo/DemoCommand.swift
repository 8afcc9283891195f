import ArgumentParser
import Foundation
import NightlatchProgram

/// `nightlatch demo`: replaces this process with the program `nightlatch-demo` from the same folder.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows a phone and its server on a page to click through. Runs nightlatch-demo.")

    @Argument(parsing: .captureForPassthrough, help: "As nightlatch-demo takes them.")
    var arguments: [String] = []

    func run() throws {
        let program = Bundle.main.bundleURL.appending(path: "nightlatch-demo").path
        var line = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        // `execv` returns only if it fails.
        _ = unsafe execv(program, &line)
        let error = SystemError(number: errno)
        throw CommandFailure(.unavailable, "the demonstration cannot be run, \(program): \(error).")
    }
}
