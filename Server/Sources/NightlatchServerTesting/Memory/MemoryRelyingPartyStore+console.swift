public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func endConsoleSession(_ id: ConsoleSessionID, expiresAt: NumericDate) async throws(RelyingPartyStoreError) {
        guard endedConsoleSessions.updateValue(expiresAt, forKey: id) == nil else { return }
        append(AuditEvent(.consoleSignedOut, by: .operator))
    }

    public func isConsoleSessionEnded(_ id: ConsoleSessionID) async throws(RelyingPartyStoreError) -> Bool {
        endedConsoleSessions[id] != nil
    }
}
