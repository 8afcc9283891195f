public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryStore {
    public func endConsoleSession(_ id: ConsoleSessionID, expiresAt: NumericDate) async throws(StoreError) {
        guard endedConsoleSessions.updateValue(expiresAt, forKey: id) == nil else { return }
        append(AuditEvent(.consoleSignedOut, by: .operator))
    }

    public func isConsoleSessionEnded(_ id: ConsoleSessionID) async throws(StoreError) -> Bool {
        endedConsoleSessions[id] != nil
    }
}
