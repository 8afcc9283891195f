package import NightlatchWire

extension MeasuredStore {
    package func journeyDevices(of user: UserID) async throws(StoreError) -> [JourneyDevice] {
        try await metrics.journeyDevices.measure { () async throws(StoreError) in
            try await base.journeyDevices(of: user)
        }
    }

    package func journeyDevice(_ id: JourneyKeyID, of user: UserID) async throws(StoreError) -> JourneyDevice? {
        try await metrics.journeyDevice.measure { () async throws(StoreError) in
            try await base.journeyDevice(id, of: user)
        }
    }

    package func isJourneyKeyTaken(
        _ key: KeyID,
        as id: JourneyKeyID,
        of user: UserID
    ) async throws(StoreError) -> Bool {
        try await metrics.isJourneyKeyTaken.measure { () async throws(StoreError) in
            try await base.isJourneyKeyTaken(key, as: id, of: user)
        }
    }

    package func journeyGeneration(of user: UserID) async throws(StoreError) -> Int {
        try await metrics.journeyGeneration.measure { () async throws(StoreError) in
            try await base.journeyGeneration(of: user)
        }
    }

    package func recordJourneyStep(_ step: JourneyStep) async throws(StoreError) -> JourneyStepOutcome {
        try await metrics.recordJourneyStep.measure { () async throws(StoreError) in
            try await base.recordJourneyStep(step)
        }
    }

    package func journeySession(_ token: JourneySessionHash) async throws(StoreError) -> JourneySession? {
        try await metrics.journeySession.measure { () async throws(StoreError) in
            try await base.journeySession(token)
        }
    }

    package func journeySessions(of user: UserID, limit: Int) async throws(StoreError) -> [JourneySession] {
        try await metrics.journeySessions.measure { () async throws(StoreError) in
            try await base.journeySessions(of: user, limit: limit)
        }
    }

    package func endJourneySessions(of user: UserID, by actor: ActingParty) async throws(StoreError) -> Int {
        try await metrics.endJourneySessions.measure { () async throws(StoreError) in
            try await base.endJourneySessions(of: user, by: actor)
        }
    }

    package func endJourneySession(_ token: JourneySessionHash) async throws(StoreError) {
        try await metrics.endJourneySession.measure { () async throws(StoreError) in
            try await base.endJourneySession(token)
        }
    }

    package func renameJourneyDevice(
        _ id: JourneyKeyID, of user: UserID, to name: DeviceName, by actor: ActingParty
    ) async throws(StoreError) -> JourneyDevice? {
        try await metrics.renameJourneyDevice.measure { () async throws(StoreError) in
            try await base.renameJourneyDevice(id, of: user, to: name, by: actor)
        }
    }

    package func removeJourneyDevice(
        _ id: JourneyKeyID, of user: UserID, by actor: ActingParty, keeping session: JourneySessionHash?
    ) async throws(StoreError) -> JourneyDevice? {
        try await metrics.removeJourneyDevice.measure { () async throws(StoreError) in
            try await base.removeJourneyDevice(id, of: user, by: actor, keeping: session)
        }
    }
}
