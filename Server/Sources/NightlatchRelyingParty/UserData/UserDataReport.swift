import NightlatchWire

/// A record about a user as an export contains it.
struct UserDataReport: Encodable {
    private let record: UserDataRecord

    init(_ record: UserDataRecord) { self.record = record }

    func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        switch record {
        case .appGrant(let grant): try grant.addReport(to: &members)
        case .device(let device, let login, let pin):
            try device.addReport(to: &members)
            if let login { try members.add("login", DeviceLoginReport(login: login)) }
            if let pin { try members.add("pin", PinReport(state: pin)) }
        case .enrolmentCode(let expiresAt, let key):
            try members.add("expires_at", expiresAt)
            try members.addIfPresent("used_by_key_id", key)
        case .journeyKey(let key): try key.addReport(to: &members)
        case .journeySession(let session): try session.addReport(to: &members)
        case .operatorRole(let person): try OperatorReport(person).encode(to: encoder)
        case .password(let throttle, let form):
            try members.add("closed_until", throttle.closedUntil)
            try members.add("failures", throttle.failures)
            if let form { try members.add("imported_form", form.rawValue) }
        case .remoteLogin(let login): try login.addReport(to: &members)
        case .transaction(let transaction): try TransactionReport(transaction).encode(to: encoder)
        case .webhookDelivery(let delivery): try delivery.addReport(to: &members)
        }
    }
}

/// The login of a device in an export.
private struct DeviceLoginReport: Encodable {
    let login: DeviceLogin

    func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("authenticated_at", login.authentication.time)
        try members.add("expires_at", login.expiresAt)
        try members.addIfPresent("user_verification", login.authentication.userVerification)
    }
}

/// The two-party PIN of a device in an export: its epochs without their keys, and the charged guesses.
private struct PinReport: Encodable {
    let state: PinHardening

    func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        if let candidate = state.candidate { try members.add("candidate_epoch", candidate.key.epoch) }
        try members.add("code_required", state.isCodeRequired)
        if let current = state.current { try members.add("epoch", current.epoch) }
        if let exhaustedAt = state.exhaustedAt { try members.add("exhausted_at", exhaustedAt) }
        try members.add("guesses", state.charged.map(GuessReport.init))
        try members.addIfPresent("knowledge_key_id", state.knowledgeKey)
        try members.add("next_epoch", state.nextEpoch)
        try members.add("window", state.window)
    }

    private struct GuessReport: Encodable {
        let guess: PinHardening.UnexplainedGuess

        init(_ guess: PinHardening.UnexplainedGuess) { self.guess = guess }

        func encode(to encoder: any Encoder) throws {
            var members = JSONObjectWriter(encoder)
            if let chargedAt = guess.chargedAt { try members.add("charged_at", chargedAt) }
            try members.add("epoch", guess.epoch)
            try members.add("id", guess.id)
        }
    }
}

extension DeviceRecord {
    fileprivate func addReport(to members: inout JSONObjectWriter) throws {
        try members.add("algorithm", algorithm)
        if let block {
            try members.add("blocked_at", block.at)
            try members.add("blocked_by", block.actor)
        }
        try members.add("bound_at", boundAt)
        try members.add("client", client)
        try members.add("id", id)
        try members.add("key", key)
        try members.add("key_id", keyID)
        if let lastLoginAt { try members.add("last_login_at", lastLoginAt) }
        try members.add("name", name)
        try members.add("possession_key_id", possessionKey)
        try members.addIfPresent("replaced_by", replacedBy)
        if let revokedAt { try members.add("revoked_at", revokedAt) }
    }
}

extension JourneyDevice {
    fileprivate func addReport(to members: inout JSONObjectWriter) throws {
        try members.add("algorithm", algorithm)
        try members.add("application", application)
        try members.add("bound_at", boundAt)
        try members.add("id", id)
        try members.add("key", key)
        try members.add("key_id", key.thumbprint)
        try members.add("last_access_at", lastAccessAt)
        try members.add("machine", machine)
        try members.add("name", name)
        try members.addIfPresent("protection", protection)
    }
}

extension JourneySession {
    fileprivate func addReport(to members: inout JSONObjectWriter) throws {
        try members.add("began_at", beganAt)
        try members.add("expires_at", expiresAt)
        try members.add("journey", journey)
        try members.addIfPresent("key", key)
        if let signed { try members.add("signed", signed) }
    }
}

extension AppGrant {
    fileprivate func addReport(to members: inout JSONObjectWriter) throws {
        try members.add("authenticated_at", authorization.authenticatedAt)
        try members.add("client", authorization.client)
        try members.add("expires_at", expiresAt)
        try members.add("id", id)
        try members.add("journey", authorization.journey)
        try members.addIfPresent("key", authorization.key)
        try members.addIfPresent("possession_key_id", authorization.possessionKey)
        try members.add("refreshed_at", rotatedAt)
        try members.add("scopes", authorization.scopes)
    }
}

extension RemoteLogin {
    fileprivate func addReport(to members: inout JSONObjectWriter) throws {
        try members.add("claimed", isClaimed)
        try members.add("details", details)
        try members.addIfPresent("device", device)
        try members.add("id", id)
        try members.add("state", state)
    }
}

extension WebhookDelivery {
    fileprivate func addReport(to members: inout JSONObjectWriter) throws {
        try members.add("attempts", attempts)
        try members.add("chain", place.chain)
        try members.add("created_at", createdAt)
        if let diedAt { try members.add("died_at", diedAt) }
        try members.add("sequence", place.sequence)
        try members.add("webhook", webhook)
    }
}
