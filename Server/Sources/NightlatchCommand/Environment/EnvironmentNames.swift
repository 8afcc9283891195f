import Foundation
package import NightlatchProgram

/// The names of the environment variables that Nightlatch reads. All of them begin with `NIGHTLATCH_`.
///
/// A misspelt variable would have no effect: a server would use a default, and a device another folder. So every
/// command refuses an unknown name before it does anything.
package enum EnvironmentNames {
    private static let prefix = "NIGHTLATCH_"

    /// The names that a command accepts.
    package static let known: Set<String> = Set(
        ServeSetting.allCases.map(\.environmentName) + CommandVariable.allCases.map(\.rawValue) + ofTools)

    /// The variables of the builds and of the scripts. A command that they start inherits them.
    private static let ofTools = [
        "NIGHTLATCH_KEEP_SYMBOLS", "NIGHTLATCH_LIMIT_SECONDS", "NIGHTLATCH_WARNINGS_AS_ERRORS",
    ]

    /// Checks the names in an environment.
    ///
    /// Accepts the variables that [Kubernetes](https://kubernetes.io/docs/concepts/services-networking/service) sets in
    /// each container for a service whose name begins with `nightlatch`.
    ///
    /// - Throws: A usage error that has each unknown name with the nearest known one. It contains no value, because a
    ///   value can be a key.
    package static func refuseUnknown(
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandFailure) {
        let unknown = environment.filter { name, value in
            name.hasPrefix(prefix) && !known.contains(name) && !isOfKubernetes(name, value)
        }.keys.sorted()
        guard !unknown.isEmpty else { return }
        let sentences = unknown.map { "\($0) is no variable of Nightlatch; the nearest is \(nearest(to: $0))." }
        throw CommandFailure(.usage, sentences.joined(separator: " ") + " Correct or unset it.")
    }

    private static func isOfKubernetes(_ name: String, _ value: String) -> Bool {
        if name.hasSuffix("_SERVICE_HOST") || name.contains(#/_SERVICE_PORT(_|$)/#) { return true }
        if name.contains(#/_PORT_[0-9]+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)$/#) { return true }
        return name.contains(#/_PORT(_[0-9]+_(TCP|UDP|SCTP))?$/#) && value.contains("://")
    }

    /// Returns the known name that differs from `name` in the fewest letters.
    private static func nearest(to name: String) -> String {
        known.sorted().min { distance($0, name) < distance($1, name) } ?? prefix
    }

    /// Returns how many letters must be inserted, removed or replaced to make one name the other.
    private static func distance(_ one: String, _ other: String) -> Int {
        let other = Array(other.utf8)
        var previous = Array(0...other.count)
        for (index, letter) in one.utf8.enumerated() {
            var row = [index + 1]
            for (column, otherLetter) in other.enumerated() {
                let replaced = previous[column] + (letter == otherLetter ? 0 : 1)
                row.append(min(replaced, previous[column + 1] + 1, row[column] + 1))
            }
            previous = row
        }
        return previous[other.count]
    }
}
