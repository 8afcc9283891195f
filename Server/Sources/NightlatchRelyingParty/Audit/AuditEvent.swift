public import NightlatchWire

/// An event about users, devices or keys that an operator may have to look up later.
///
/// It holds no token, code, key, message or other secret.
public struct AuditEvent: Codable, Hashable, Sendable {
    /// The kind of event.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case enrolmentCodeCreated = "enrolment_code_created"
        case deviceBound = "device_bound"
        case loggedIn = "logged_in"
        /// A device ended its login. Its refresh tokens are no longer valid.
        case loggedOut = "logged_out"
        /// A refresh token was presented after its successor had been used: an attacker may have a copy.
        ///
        /// Its family is revoked.
        case refreshTokenReused = "refresh_token_reused"
        case deviceRenamed = "device_renamed"
        case deviceBlocked = "device_blocked"
        case deviceUnblocked = "device_unblocked"
        case deviceRevoked = "device_revoked"
        /// Another device of the user replaced the device.
        case deviceReplaced = "device_replaced"
        case transactionCreated = "transaction_created"
        case transactionConfirmed = "transaction_confirmed"
        case transactionRejected = "transaction_rejected"
        case transactionVoided = "transaction_voided"
        /// Someone asked to log a user in elsewhere: in a browser, or through an app's backend.
        case remoteLoginRequested = "remote_login_requested"
        case remoteLoginConfirmed = "remote_login_confirmed"
        case remoteLoginRejected = "remote_login_rejected"
        /// The user entered another number than the login page showed. The login ended.
        case remoteLoginNumberWrong = "remote_login_number_wrong"
        /// Devices of two users scanned the code of one login page. The login ended.
        case remoteLoginContested = "remote_login_contested"
        /// A browser or backend continued with a confirmed login: a session began.
        case remoteLoginCompleted = "remote_login_completed"
        /// A password was set, for the first time or again.
        case passwordSet = "password_set"
        /// A user was imported from another system; ``members`` are the members of the profile whose values changed. If
        /// a password was imported, an entry ``passwordSet`` follows.
        case userImported = "user_imported"
        /// An operator exported what the server keeps about a user.
        case userExported = "user_exported"
        /// An operator deleted a user, for the ``AuditEvent/reason``. The user's entries are now filed under the
        /// ``AuditEvent/pseudonym``; ``AuditEvent/count`` is the number of those whose personal part was erased.
        case userDeleted = "user_deleted"
        /// A user's profile was set; ``members`` are those whose values changed.
        case userProfileChanged = "user_profile_changed"
        /// A user's profile was removed; ``members`` are those that had a value.
        case userProfileRemoved = "user_profile_removed"
        case journeyDeviceBound = "journey_device_bound"
        case journeyDeviceRenamed = "journey_device_renamed"
        case journeyDeviceRemoved = "journey_device_removed"
        case journeySigned = "journey_signed"
        case journeyLoggedIn = "journey_logged_in"
        case journeyLoggedOut = "journey_logged_out"
        /// All sessions of a user were ended; ``count`` is their number.
        case journeySessionsEnded = "journey_sessions_ended"
        case pinEpochOpened = "pin_epoch_opened"
        /// The new epoch of a two-party PIN became current, and the previous epoch was destroyed.
        case pinEpochPromoted = "pin_epoch_promoted"
        case pinEpochAbandoned = "pin_epoch_abandoned"
        /// A guess at a two-party PIN was charged; ``count`` is the number of charged guesses that are not cleared.
        case pinGuessCharged = "pin_guess_charged"
        /// The app proved that a PIN was right; ``count`` is the number of charged guesses that the proof cleared.
        case pinProved = "pin_proved"
        /// The keys of a device's two-party PIN were destroyed: no guess was left, or the device was revoked or
        /// replaced.
        case pinKeysDestroyed = "pin_keys_destroyed"
        case signingKeyAdded = "signing_key_added"
        case signingKeysForgotten = "signing_keys_forgotten"
        /// A server started with a new master key, after the old one was lost and its signing keys were forgotten.
        case masterKeyReplaced = "master_key_replaced"
        /// An operator began to replace the master key: new values are sealed under the new one.
        case masterKeyRotationBegan = "master_key_rotation_began"
        /// All stored values are sealed under the new master key.
        case masterKeyRotated = "master_key_rotated"
        /// An operator accepted a store that was restored from an older copy.
        case restoreAccepted = "restore_accepted"
        case appRegistered = "app_registered"
        case appChanged = "app_changed"
        case appRemoved = "app_removed"
        /// The policy of an app or a user was set; ``policyMembers`` are those whose values changed.
        case policyChanged = "policy_changed"
        /// The policy of an app or a user was removed; ``policyMembers`` are those that had a value.
        case policyRemoved = "policy_removed"
        case consoleSignedIn = "console_signed_in"
        case consoleSignedOut = "console_signed_out"
        /// A list was exported as a file; ``list`` is its name.
        case listExported = "list_exported"
        /// Requests were refused within one minute; ``count`` is their number.
        case requestsRefused = "requests_refused"
        /// An app exchanged an authorization code for tokens.
        case appTokensIssued = "app_tokens_issued"
        /// An authorization code was presented twice: an attacker may have a copy. Its grant is revoked.
        case authorizationCodeReused = "authorization_code_reused"
        /// A refresh token of an app was presented after its successor had been used. Its grant is revoked.
        case appRefreshTokenReused = "app_refresh_token_reused"
        /// An app revoked one of its access tokens.
        case appTokenRevoked = "app_token_revoked"
        /// An app revoked a refresh token, which ended the grant.
        case appGrantRevoked = "app_grant_revoked"
        /// An API key was created; ``scopes`` are what it may do.
        case apiKeyCreated = "api_key_created"
        case apiKeyRevoked = "api_key_revoked"
        case webhookAdded = "webhook_added"
        case webhookChanged = "webhook_changed"
        case webhookRemoved = "webhook_removed"
        /// An operator paused a webhook, or its receiver answered 410 Gone.
        case webhookPaused = "webhook_paused"
        case webhookResumed = "webhook_resumed"
        case webhookSecretRotated = "webhook_secret_rotated"
        /// An operator sent a test to a webhook. It is delivered to no other webhook.
        case webhookTested = "webhook_tested"
        /// Dead letters of a webhook are delivered again; ``count`` is their number.
        case webhookRedelivered = "webhook_redelivered"
        /// Dead letters of a webhook were deleted; ``count`` is their number.
        case webhookDiscarded = "webhook_discarded"
        /// A user became an operator; ``role`` is what they may do.
        case operatorAdded = "operator_added"
        /// An operator got another name or role.
        case operatorChanged = "operator_changed"
        case operatorRemoved = "operator_removed"
    }

    public var kind: Kind
    /// The party that caused the event. Its reason is ``reason``.
    public var actor: ActingParty
    /// The API key that was created or revoked.
    public var apiKey: APIKeyID?
    /// The name of the API key that was created or revoked.
    public var apiKeyName: APIKeyName?
    /// The scopes of the API key that was created, also those that only a later version knows.
    public var scopes: [APIScopeName]?
    /// The name of the operator who was added, changed or removed.
    public var operatorName: PartyName?
    /// The role of that operator after the event, or before a removal.
    public var role: OperatorRole?
    public var user: UserID?
    public var device: DeviceID?
    public var transaction: TransactionID?
    /// The problem code of the response.
    public var problem: ProblemCode?
    public var count: Int?
    /// The app that the event is about.
    public var client: ClientID?
    /// The id of a key that was bound through a journey.
    public var journeyKey: JourneyKeyID?
    /// The signed claims of a journey's message that the protocol does not require, as one JSON object.
    public var claims: String?
    /// The members of a user's profile that changed. Their values are not in the log.
    public var members: [UserProfile.Member]?
    /// The members of a policy that changed.
    public var policyMembers: [Policy.Member]?
    /// The revision of a policy that was changed.
    public var policyRevision: PolicyRevision?
    /// The name that replaces the id of a deleted user. The entry about the deletion contains it. Earlier entries about
    /// the user get it when they are read.
    public var pseudonym: UserID?
    /// The reason that the operator gave.
    public var reason: AuditReason?
    /// The list that was exported.
    public var list: ExportedList?
    /// The webhook that the event is about.
    public var webhook: WebhookID?

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
        self.actor = actor.giving(nil)
        reason = actor.reason
        self.user = user
        self.device = device
        self.transaction = transaction
        self.problem = problem
        self.count = count
    }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        actor = ActingParty(
            try members.value("actor"), key: try members.optionalValue("actor_key"),
            name: try members.optionalValue("actor_name"))
        apiKey = try members.optionalValue("api_key")
        apiKeyName = try members.optionalValue("api_key_name")
        claims = try members.optionalValue("claims")
        client = try members.optionalValue("client")
        count = try members.optionalValue("count")
        device = try members.optionalValue("device")
        kind = try members.value("event")
        journeyKey = try members.optionalValue("journey_key")
        list = try members.optionalValue("list")
        self.members = try members.optionalValue("members")
        operatorName = try members.optionalValue("operator_name")
        policyMembers = try members.optionalValue("policy_members")
        policyRevision = try members.optionalValue("policy_revision")
        problem = try members.optionalValue("problem")
        pseudonym = try members.optionalValue("pseudonym")
        reason = try members.optionalValue("reason")
        role = try members.optionalValue("role")
        scopes = try members.optionalValue("scopes")
        transaction = try members.optionalValue("transaction")
        user = try members.optionalValue("user")
        webhook = try members.optionalValue("webhook")
    }

    public func encode(to encoder: any Encoder) throws { try encode(to: encoder, in: nil, personalHash: nil) }

    /// Encodes the event, with its position in the log if it has one.
    ///
    /// Members are written in the order of their names, so that no sorting is needed.
    ///
    /// - Parameters:
    ///   - encoder: The encoder.
    ///   - entry: The entry of the event; nil for none.
    ///   - personalHash: The hash that replaces the members of the personal part; nil to encode them.
    func encode(to encoder: any Encoder, in entry: AuditEntry?, personalHash: AuditPersonalHash?) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("actor", actor.kind)
        try members.addIfPresent("actor_key", actor.key)
        try members.addIfPresent("actor_name", actor.name)
        try members.addIfPresent("api_key", apiKey)
        try members.addIfPresent("api_key_name", apiKeyName)
        if let entry {
            try members.add("at", entry.at)
            try members.add("chain", entry.chain)
        }
        if let claims, personalHash == nil { try members.add("claims", claims) }
        try members.addIfPresent("client", client)
        if let count { try members.add("count", count) }
        try members.addIfPresent("device", device)
        try members.add("event", kind)
        if personalHash == nil { try members.addIfPresent("journey_key", journeyKey) }
        if let list { try members.add("list", list) }
        if let changed = self.members { try members.add("members", changed) }
        try members.addIfPresent("operator_name", operatorName)
        try members.addIfPresent("personal_hash", personalHash)
        if let policyMembers { try members.add("policy_members", policyMembers) }
        if let policyRevision { try members.add("policy_revision", policyRevision) }
        try members.addIfPresent("problem", problem)
        try members.addIfPresent("pseudonym", pseudonym)
        try members.addIfPresent("reason", reason)
        if let role { try members.add("role", role) }
        if let scopes { try members.add("scopes", scopes) }
        if let entry { try members.add("sequence", entry.sequence) }
        try members.addIfPresent("transaction", transaction)
        if personalHash == nil { try members.addIfPresent("user", user) }
        try members.addIfPresent("webhook", webhook)
    }
}

extension AuditEvent {
    /// The id by which queries find the event: that of its user, or the pseudonym of a deleted one.
    var filedUnder: UserID? { user ?? pseudonym }

    /// A backend created a transaction.
    package init(created transaction: NewTransaction) {
        self.init(.transactionCreated, by: transaction.createdBy, user: transaction.user, transaction: transaction.id)
    }

    /// A device decided a transaction.
    package init(_ decision: NewDecision) {
        let kind: Kind =
            switch decision.decision {
            case .confirm: .transactionConfirmed
            case .reject: .transactionRejected
            }
        self.init(
            kind, by: .device, user: decision.user, device: decision.device, transaction: decision.transaction)
    }

    /// A transaction was voided.
    package init(voided transaction: RecordedTransaction, by actor: ActingParty) {
        self.init(.transactionVoided, by: actor, user: transaction.user, transaction: transaction.id)
    }

    /// A remote login was opened: a device scanned a login page, someone entered the user's name there, or a backend
    /// asked.
    package init(opened login: RemoteLogin) {
        let actor: ActingParty = login.isClaimed ? .device : login.details.hasNumber ? .server : .backend
        self.init(.remoteLoginRequested, by: actor, of: login)
    }

    /// A device of another user scanned the code of a remote login.
    package init(contested login: RemoteLogin) { self.init(.remoteLoginContested, by: .device, of: login) }

    /// A browser or backend continued with a remote login.
    package init(completed login: RemoteLogin) { self.init(.remoteLoginCompleted, by: .user, of: login) }

    private init(_ kind: Kind, by actor: ActingParty, of login: RemoteLogin) {
        self.init(kind, by: actor, user: login.user, device: login.device)
        client = login.details.client
    }

    /// A device decided `login`, which now has the state `state`.
    package init(_ decision: NewRemoteLoginDecision, on login: RemoteLogin, state: RemoteLoginState) {
        let kind: Kind =
            switch state {
            case .confirmed: .remoteLoginConfirmed
            case .numberWrong: .remoteLoginNumberWrong
            default: .remoteLoginRejected
            }
        self.init(kind, by: .device, user: decision.user, device: decision.device)
        client = login.details.client
    }

    /// A key was bound through a journey.
    package init(_ binding: JourneyBinding) {
        self.init(.journeyDeviceBound, by: .device, user: binding.device.user)
        journeyKey = binding.device.id
        claims = binding.claims
    }

    /// A key signed in a journey.
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

    /// A session was logged out.
    package init(signedOff session: JourneySession) {
        self.init(.journeyLoggedOut, by: .user, user: session.user)
        journeyKey = session.key
    }

    /// The device of a key was renamed.
    package init(renamed device: JourneyDevice, by actor: ActingParty) {
        self.init(.journeyDeviceRenamed, by: actor, user: device.user)
        journeyKey = device.id
    }

    /// Something happened to the access that `authorization` gives an app.
    package init(_ kind: Kind, to authorization: AppAuthorization) {
        self.init(kind, by: .user, user: authorization.user)
        client = authorization.client
        journeyKey = authorization.key
    }

    /// A key was deleted.
    package init(removed device: JourneyDevice, by actor: ActingParty) {
        self.init(.journeyDeviceRemoved, by: actor, user: device.user)
        journeyKey = device.id
    }

    /// An app was registered or changed.
    package init(put app: StoredApp, by actor: ActingParty) {
        self.init(app.revision == 1 ? .appRegistered : .appChanged, by: actor)
        client = app.app.id
    }

    /// An app was removed.
    package init(removedApp id: ClientID, by actor: ActingParty) {
        self.init(.appRemoved, by: actor)
        client = id
    }

    /// An API key was created.
    package init(created key: APIKey, by actor: ActingParty) {
        self.init(.apiKeyCreated, by: actor)
        (apiKey, apiKeyName, scopes) = (key.id, key.name, key.scopes.names)
    }

    /// An API key was revoked.
    package init(revoked key: APIKey, by actor: ActingParty) {
        self.init(revokedKey: key.id, key.name, by: actor)
    }

    /// The API key `id` was revoked.
    package init(revokedKey id: APIKeyID, _ name: APIKeyName?, by actor: ActingParty) {
        self.init(.apiKeyRevoked, by: actor)
        (apiKey, apiKeyName) = (id, name)
    }

    /// An operator was added, changed or removed.
    package init(_ kind: Kind, of person: Operator, by actor: ActingParty) {
        self.init(kind, by: actor, user: person.user)
        (operatorName, role) = (person.name, person.role)
    }

    /// A list was exported.
    package init(exported list: ExportedList, by actor: ActingParty) {
        self.init(.listExported, by: actor)
        self.list = list
    }

    /// The profile of `user` was set, or removed if `profile` is nil.
    package init(profile: UserProfile?, replacing old: UserProfile?, of user: UserID, by actor: ActingParty) {
        self.init(profile == nil ? .userProfileRemoved : .userProfileChanged, by: actor, user: user)
        members = (profile ?? UserProfile()).members(changedFrom: old ?? UserProfile())
    }

    /// A policy was set, or removed if it has no members.
    package init(set stored: StoredPolicy, replacing old: Policy, by actor: ActingParty) {
        self.init(stored.policy.isEmpty ? .policyRemoved : .policyChanged, by: actor)
        switch stored.subject {
        case .app(let id): client = id
        case .user(let id): user = id
        }
        policyMembers = stored.policy.members(changedFrom: old)
        policyRevision = stored.revision
    }

    /// A user was deleted.
    package init(deleted user: UserDeletion, by actor: ActingParty, because reason: AuditReason) {
        self.init(.userDeleted, by: actor, count: user.erasedEntries)
        pseudonym = user.pseudonym
        self.reason = reason
    }
}
