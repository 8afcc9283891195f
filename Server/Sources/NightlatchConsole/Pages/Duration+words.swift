extension Duration {
    /// The duration in the largest unit that divides it, such as `90 days`.
    var inWords: String {
        let seconds = components.seconds
        for (length, unit) in [(86_400, "day"), (3600, "hour"), (60, "minute")] as [(Int64, String)]
        where seconds >= length && seconds % length == 0 {
            return Self.counted(seconds / length, unit)
        }
        return components.attoseconds == 0 ? Self.counted(seconds, "second") : "\(self / .milliseconds(1)) ms"
    }

    private static func counted(_ count: Int64, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s")" }
}
