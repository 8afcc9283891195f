public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func pinHardening(of device: DeviceID) async throws(RelyingPartyStoreError) -> PinHardening {
        try await read { transaction in
            try PinHardening(transaction.send(Self.selectPinHardening, .text(device.rawValue)))
        }
    }

    public func pinHardening(
        of device: DeviceID, naming key: KeyID
    ) async throws(RelyingPartyStoreError) -> PinHardening? {
        try await read { transaction in
            let row = try transaction.send(Self.selectPinHardening, .text(device.rawValue)).rows().first
            guard let stored = try row?.bytes("state"), PinHardening.isKey(key, namedIn: stored) else { return nil }
            return try PinHardening(stored: stored)
        }
    }

    public func recordPinStep(
        _ step: PinStep,
        of device: DeviceID,
        user: UserID
    ) async throws(RelyingPartyStoreError) -> PinStepOutcome {
        let code: EnrolmentCodeMAC? = if case .open(_, let code) = step.action { code } else { nil }
        let reading = observedClock.beginReading()
        return try await write { transaction in
            // Locks the code before the device, as in a binding. The lock of the device's row serialises the steps of
            // one device with each other and with a revocation.
            let codeRow = try code.map { code in
                try transaction.send(
                    "SELECT user_id, expires_at, used_by_key_id FROM enrolment_code WHERE mac = $1 FOR NO KEY UPDATE",
                    .bytes(code.bytes))
            }
            let known = try transaction.send(Self.lockDevice, .text(device.rawValue), .text(user.rawValue))
            let found = try transaction.send(Self.selectPinHardening, .text(device.rawValue))
            try transaction.readClock()
            let time = reading.time(try transaction.now())
            let now = time.now
            guard let device = try known.rows().first.map(DeviceRecord.init) else {
                return .refused(.notEntitled, PinHardening())
            }
            let isCodeGood = try codeRow?.rows().first.map { try Self.isUnused($0, for: device.user, at: now) } ?? false
            var state = try PinHardening(found)
            let before = state
            if let key = step.newKey { try Self.lockedMasterKeyState(in: transaction).require(key.masterKey) }
            try step.requireOpenable(in: state)
            let result = state.take(step, of: device, isCodeGood: isCodeGood, at: time)
            if state != before { try Self.write(state, of: device.id, in: transaction) }
            if result.usesCode, let code {
                try transaction.send(
                    "UPDATE enrolment_code SET used_by_key_id = $1 WHERE mac = $2",
                    .text(device.keyID.rawValue), .bytes(code.bytes))
            }
            for event in result.events { try transaction.append(event.auditEvent(of: device)) }
            return result.outcome
        }
    }

    /// Returns whether the code of `row` belongs to `user` and is unused.
    private static func isUnused(
        _ row: PostgresRow, for user: UserID, at now: NumericDate
    ) throws(RelyingPartyStoreError) -> Bool {
        guard try row.optionalText("used_by_key_id") == nil else { return false }
        let (owner, expiresAt): (UserID, NumericDate) = (try row.identifier("user_id"), try row.date("expires_at"))
        return owner == user && now <= expiresAt
    }

    /// Destroys the PIN keys of a device that was revoked or replaced. The caller has locked the device's row.
    static func destroyPinKeys(
        of device: DeviceRecord,
        by actor: ActingParty,
        in transaction: PostgresTransaction
    ) throws {
        let found = try transaction.rows(selectPinHardening, .text(device.id.rawValue)).first
        guard let stored = try found?.bytes("state") else { return }
        try keep(PinDestruction(ofStopped: stored, by: actor, at: transaction.now()), of: device, in: transaction)
    }

    public func destroyDuePinKeys(guessLimit: Int) async throws(RelyingPartyStoreError) {
        try await StoreMetrics.measure { () async throws(RelyingPartyStoreError) in
            var last = ""
            var hasDamaged = false
            // Ends: `last` grows with each iteration, up to the last device of the table.
            while true {
                let exhausted = try await exhaustedDevices(after: last)
                guard let end = exhausted.last?.0.rawValue else { break }
                last = end
                for (id, user) in exhausted {
                    let wasDamaged = try await write(measuredAs: nil) { transaction in
                        let known = try transaction.send(Self.lockDevice, .text(id.rawValue), .text(user.rawValue))
                        let found = try transaction.rows(Self.selectPinHardening, .text(id.rawValue)).first
                        guard let device = try known.rows().first.map(DeviceRecord.init),
                            let stored = try found?.bytes("state")
                        else { return false }
                        let destruction = PinDestruction(
                            ofDue: stored, guessLimit: guessLimit, at: try transaction.now())
                        try Self.keep(destruction, of: device, in: transaction)
                        return destruction?.isOfDamaged ?? false
                    }
                    hasDamaged = hasDamaged || wasDamaged
                }
            }
            if hasDamaged { throw RelyingPartyStoreError(.corrupt) }
        }
    }

    /// Returns the next devices, sorted by id, whose last remaining guess was charged longer ago than
    /// `PinHardening.lastGuessLife`, or in the future.
    private func exhaustedDevices(after last: String) async throws(RelyingPartyStoreError) -> [(DeviceID, UserID)] {
        let reading = observedClock.beginReading()
        return try await read(measuredAs: nil) { transaction in
            let now = reading.time(try transaction.now()).now
            return try transaction.rows(
                """
                SELECT device.id AS id, device.user_id AS user_id FROM pin_hardening
                JOIN device ON device.id = pin_hardening.device_id
                WHERE (exhausted_at < $1 OR exhausted_at > $2) AND device_id > $3 ORDER BY device_id LIMIT 500
                """,
                .integer((now + (.zero - PinHardening.lastGuessLife)).secondsSince1970),
                .integer(now.secondsSince1970), .text(last)
            ).map { row throws(RelyingPartyStoreError) -> (DeviceID, UserID) in
                (try row.identifier("id"), try row.identifier("user_id"))
            }
        }
    }

    private static func keep(
        _ destruction: PinDestruction?,
        of device: DeviceRecord,
        in transaction: PostgresTransaction
    ) throws {
        guard let destruction else { return }
        try write(destruction.state, of: device.id, in: transaction)
        if let event = destruction.event { try transaction.append(event.auditEvent(of: device)) }
    }

    static let selectPinHardening = "SELECT state FROM pin_hardening WHERE device_id = $1"
    private static let lockDevice =
        "SELECT \(DeviceRecord.columns) FROM device WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE"

    static func write(
        _ state: PinHardening,
        of device: DeviceID,
        in transaction: PostgresTransaction
    ) throws {
        try transaction.send(
            """
            INSERT INTO pin_hardening (device_id, state, exhausted_at, sealed_under) VALUES ($1, $2, $3, $4)
            ON CONFLICT (device_id) DO UPDATE SET state = excluded.state, exhausted_at = excluded.exhausted_at,
            sealed_under = excluded.sealed_under
            """,
            .text(device.rawValue), .bytes(state.stored), .integer(state.exhaustedAt?.secondsSince1970),
            .text(state.sealedUnder))
    }
}

extension PinHardening {
    /// Reads the state of a device. If there is no row, it is the state of a device without an epoch.
    init(_ answer: PostgresAnswer) throws {
        let row = try answer.rows().first
        self =
            try row.map { row throws(RelyingPartyStoreError) in try PinHardening(stored: row.bytes("state")) }
            ?? PinHardening()
    }
}
