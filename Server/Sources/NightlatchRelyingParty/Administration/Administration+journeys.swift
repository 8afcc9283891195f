package import NightlatchWire

extension Administration {
    /// The keys that the user has bound through journeys, oldest first.
    package func journeyDevices(of user: UserID) async throws(AdministrationError) -> [JourneyDevice] {
        _ = try await self.user(user)
        return try await ask { () async throws(RelyingPartyStoreError) in try await store.journeyDevices(of: user) }
    }

    package func journeyDevice(
        _ id: JourneyKeyID,
        of user: UserID
    ) async throws(AdministrationError) -> JourneyDevice {
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.journeyDevice(id, of: user)
        }
        guard let found else { throw .deviceUnknown }
        return found
    }

    /// The user's live journey sessions, newest first, at most ``endedLimit`` of them.
    package func journeySessions(of user: UserID) async throws(AdministrationError) -> [JourneySession] {
        _ = try await self.user(user)
        return try await ask { () async throws(RelyingPartyStoreError) in
            try await store.journeySessions(of: user, limit: Self.endedLimit)
        }
    }

    /// Renames the key's device. Idempotent.
    package func rename(
        _ key: JourneyKeyID,
        of user: UserID,
        to name: DeviceName
    ) async throws(AdministrationError) -> JourneyDevice {
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.renameJourneyDevice(key, of: user, to: name, by: party)
        }
        guard let found else { throw .deviceUnknown }
        return found
    }

    /// Deletes the key, and ends the sessions of journeys in which this key made the last signature.
    ///
    /// The same key may be bound again.
    ///
    /// - Throws: ``AdministrationError`` `deviceUnknown`, also for a key that was deleted already.
    package func remove(_ key: JourneyKeyID, of user: UserID) async throws(AdministrationError) -> JourneyDevice {
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.removeJourneyDevice(key, of: user, by: party, keeping: nil)
        }
        guard let found else { throw .deviceUnknown }
        return found
    }

    /// Ends all of the user's journey sessions. Idempotent.
    ///
    /// - Returns: The number of sessions that this call ended.
    package func endJourneySessions(of user: UserID) async throws(AdministrationError) -> Int {
        _ = try await self.user(user)
        return try await ask { () async throws(RelyingPartyStoreError) in
            try await store.endJourneySessions(of: user, by: party)
        }
    }
}
