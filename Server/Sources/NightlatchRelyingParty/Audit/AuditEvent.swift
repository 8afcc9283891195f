public import NightlatchWire

/// Something that matters to who looks after users, devices and keys. It holds no secret: no token, code, key or message.
public struct AuditEvent: Codable, Hashable, Sendable {
    /// What happened.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case enrolmentCodeCreated = "enrolment_code_created"
        case deviceBound = "device_bound"
        case loggedIn = "logged_in"
        /// A device has ended its login: its refresh tokens are worth nothing any more.
        case loggedOut = "logged_out"
        /// A refresh token that was replaced long ago was presented: somebody has a copy. Its family is revoked.
        case refreshTokenReused = "refresh_token_reused"
        case deviceRenamed = "device_renamed"
        case deviceBlocked = "device_blocked"
        case deviceUnblocked = "device_unblocked"
        case deviceRevoked = "device_revoked"
        /// Another device of the user took its place.
        case deviceReplaced = "device_replaced"
        case transactionCreated = "transaction_created"
        case transactionConfirmed = "transaction_confirmed"
        case transactionRejected = "transaction_rejected"
        case transactionVoided = "transaction_voided"
        /// A password was set, the first one or another.
        case passwordSet = "password_set"
        case journeyDeviceBound = "journey_device_bound"
        case journeyDeviceRenamed = "journey_device_renamed"
        case journeyDeviceRemoved = "journey_device_removed"
        case journeySigned = "journey_signed"
        case journeyLoggedIn = "journey_logged_in"
        case journeyLoggedOut = "journey_logged_out"
        /// All sessions of a user were ended, which were ``count``.
        case journeySessionsEnded = "journey_sessions_ended"
        case pinEpochOpened = "pin_epoch_opened"
        /// The new epoch of a two-party PIN is current, and the one before is destroyed.
        case pinEpochPromoted = "pin_epoch_promoted"
        case pinEpochAbandoned = "pin_epoch_abandoned"
        /// A guess at a two-party PIN; ``count`` says how many are charged since the last proof.
        case pinGuessCharged = "pin_guess_charged"
        /// A PIN was proved to be right, which cleared as many guesses as ``count`` says.
        case pinProved = "pin_proved"
        /// The keys of a device's two-party PIN are destroyed: the guesses were used up, or the device was barred for good.
        case pinKeysDestroyed = "pin_keys_destroyed"
        case signingKeyAdded = "signing_key_added"
        case signingKeysForgotten = "signing_keys_forgotten"
        case consoleSignedIn = "console_signed_in"
        case consoleSignedOut = "console_signed_out"
        /// Requests were refused, as often as ``count`` says within a minute.
        case requestsRefused = "requests_refused"
    }

    public var kind: Kind
    public var actor: ActingParty
    public var user: UserID?
    public var device: DeviceID?
    public var transaction: TransactionID?
    /// The problem code that was answered.
    public var problem: ProblemCode?
    public var count: Int?
    /// The name of a key that was bound through a journey.
    public var journeyKey: JourneyKeyID?
    /// What was signed in a journey beyond what the protocol demands, as one JSON object.
    public var claims: String?

    public init(
        _ kind: Kind,
        by actor: ActingParty,
        user: UserID? = nil,
        device: DeviceID? = nil,
        transaction: TransactionID? = nil,
        problem: ProblemCode? = nil,
        count: Int? = nil
    ) {
        self.kind = kind
        self.actor = actor
        self.user = user
        self.device = device
        self.transaction = transaction
        self.problem = problem
        self.count = count
    }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        actor = try members.value("actor")
        claims = try members.optionalValue("claims")
        count = try members.optionalValue("count")
        device = try members.optionalValue("device")
        kind = try members.value("event")
        journeyKey = try members.optionalValue("journey_key")
        problem = try members.optionalValue("problem")
        transaction = try members.optionalValue("transaction")
        user = try members.optionalValue("user")
    }

    public func encode(to encoder: any Encoder) throws { try encode(to: encoder, in: nil) }

    /// Writes itself, and its place in the log with it if it has one: in the order of names, so that nothing is to be sorted.
    func encode(to encoder: any Encoder, in entry: AuditEntry?) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("actor", actor)
        if let entry {
            try members.add("at", entry.at)
            try members.add("chain", entry.chain)
        }
        if let claims { try members.add("claims", claims) }
        if let count { try members.add("count", count) }
        try members.addIfPresent("device", device)
        try members.add("event", kind)
        try members.addIfPresent("journey_key", journeyKey)
        try members.addIfPresent("problem", problem)
        if let entry { try members.add("sequence", entry.sequence) }
        try members.addIfPresent("transaction", transaction)
        try members.addIfPresent("user", user)
    }
}

extension AuditEvent {
    /// A backend has asked for a decision.
    package init(created transaction: NewTransaction) {
        self.init(.transactionCreated, by: .backend, user: transaction.user, transaction: transaction.id)
    }

    /// A device has decided.
    package init(_ decision: NewDecision) {
        let kind: Kind =
            switch decision.decision {
            case .confirm: .transactionConfirmed
            case .reject: .transactionRejected
            }
        self.init(
            kind, by: .device, user: decision.user, device: decision.device, transaction: decision.transaction)
    }

    /// A transaction was taken back.
    package init(voided transaction: RecordedTransaction, by actor: ActingParty) {
        self.init(.transactionVoided, by: actor, user: transaction.user, transaction: transaction.id)
    }

    /// A key was bound through a journey.
    package init(_ binding: JourneyBinding) {
        self.init(.journeyDeviceBound, by: .device, user: binding.device.user)
        journeyKey = binding.device.id
        claims = binding.claims
    }

    /// A key has signed in a journey.
    package init(_ signing: JourneySigning) {
        self.init(.journeySigned, by: .device, user: signing.user)
        journeyKey = signing.key
        claims = signing.claims
    }

    /// A journey ended with a session.
    package init(_ session: NewJourneySession) {
        self.init(.journeyLoggedIn, by: .user, user: session.user)
        journeyKey = session.key
    }

    /// A session was signed off.
    package init(signedOff session: JourneySession) {
        self.init(.journeyLoggedOut, by: .user, user: session.user)
        journeyKey = session.key
    }

    /// A key's device got another name.
    package init(renamed device: JourneyDevice, by actor: ActingParty) {
        self.init(.journeyDeviceRenamed, by: actor, user: device.user)
        journeyKey = device.id
    }

    /// Somebody has a key forgotten.
    package init(removed device: JourneyDevice, by actor: ActingParty) {
        self.init(.journeyDeviceRemoved, by: actor, user: device.user)
        journeyKey = device.id
    }
}
