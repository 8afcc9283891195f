import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty

/// The options of commands that print a page of a list.
struct PageOptions: ParsableArguments {
    @Option(help: "The maximum number of results, up to 500.")
    var limit = Administration.defaultPageLength

    @Flag(help: "Print one line of JSON.")
    var json = false

    func length() throws(CommandFailure) -> Int {
        guard Administration.pageLengths.contains(limit) else {
            throw CommandFailure(.usage, "--limit takes 1 to \(Administration.pageLengths.upperBound), not \(limit).")
        }
        return limit
    }

    /// Prints to stderr how to get the next page.
    func tellNext(_ argument: String?) {
        guard let argument else { return }
        StandardStream.writeLine("There are more: \(argument)", to: .standardError)
    }
}
