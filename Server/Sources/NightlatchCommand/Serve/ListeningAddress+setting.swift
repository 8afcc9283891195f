import NightlatchProgram

extension ListeningAddress {
    /// Parses a setting like ``init(_:option:)``.
    init(_ told: ToldValue) throws(CommandFailure) {
        try self.init(told.text, option: told.name)
    }
}
