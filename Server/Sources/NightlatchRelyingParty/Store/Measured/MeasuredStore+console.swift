package import NightlatchWire

extension MeasuredStore {
    package func endConsoleSession(_ id: ConsoleSessionID, expiresAt: NumericDate) async throws(StoreError) {
        try await metrics.endConsoleSession.measure { () async throws(StoreError) in
            try await base.endConsoleSession(id, expiresAt: expiresAt)
        }
    }

    package func isConsoleSessionEnded(_ id: ConsoleSessionID) async throws(StoreError) -> Bool {
        try await metrics.isConsoleSessionEnded.measure { () async throws(StoreError) in
            try await base.isConsoleSessionEnded(id)
        }
    }
}
