import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// A relying party in memory that checks its requests, and fails according to a script.
actor ScriptedRelyingParty: RelyingParty {
    enum Verb {
        case enrolByPassword, beginBinding, finishBinding, beginLogin, tokens, revokeToken, devices, change, revoke
        case pendingTransactions, beginDecision, finishDecision
        case remoteLogins, claimRemoteLogin, beginRemoteLogin, finishRemoteLogin
    }

    enum Mishap {
        /// The request never arrives.
        case loseRequest
        /// The request is carried out, and its answer never arrives.
        case loseAnswer
        case refuse(ProblemCode)
        /// The request is carried out, and its answer is a refusal.
        case refuseAfterwards(ProblemCode)
        case cancel
    }

    struct Device {
        let result: BindingResult
        let key: PublicJWK
        let possessionKey: KeyID
        var name = DeviceName(unchecked: "Phone")
        /// The refusal for this device's key; nil while it may log in.
        var bar: ProblemCode?
        var isRevoked: Bool { bar?.endsBinding == true }
    }

    /// The relying party's time, which is far from the device's.
    static let now = NumericDate(secondsSince1970: 2_000_000_000)

    nonisolated let issuer: Issuer
    /// The time that has passed at the relying party.
    private(set) var age: Duration = .zero
    private(set) var newestNonce: DPoPNonce?
    private(set) var devices: [DeviceID: Device] = [:]
    /// The requests, the newest last.
    private(set) var verbs: [Verb] = []
    private(set) var bindings: [CompactJWS] = []
    private(set) var logins: [CompactJWS] = []
    private(set) var proofs: [CompactJWS] = []
    var decisions: [CompactJWS] = []
    /// Its transactions, in the order in which it lists them.
    private(set) var transactions: [(notice: TransactionNotice, state: TransactionState)] = []
    /// Its remote logins, in the order in which it lists them.
    var remoteLogins: [RemoteLogin] = []
    /// The login that a device gets for the code of a login page.
    var remoteLoginCodes: [RemoteLoginCode: RemoteLoginNotice] = [:]
    /// The answer to each decision on a login; nil for the right one.
    var remoteLoginAnswer: RemoteLoginResult?
    private var script: [Verb: Mishap] = [:]
    private var demandedNonce: DPoPNonce?
    private var isNeverContent = false
    private var events: [Verb: @Sendable () async -> Void] = [:]
    private var codes: [EnrolmentCode: (user: UserID, usedBy: KeyID?)] = [:]
    var challenges: [ChallengeHandle: (challenge: Challenge, code: EnrolmentCode?)] = [:]
    private var families: [Int: RefreshFamily] = [:]
    private var familyOf: [RefreshToken: Int] = [:]
    private var tokenCount = 0
    /// How often a refresh token was used that had been replaced for good.
    private(set) var reuseCount = 0

    /// The right passwords of users.
    private var passwords: [UserID: Password] = [:]

    /// The key with which it signs policies; nil for a relying party that gives devices no key.
    private(set) var answerKey: P256.Signing.PrivateKey?
    /// The policy, as JSON, that a device with an older revision gets; nil if there is none.
    private var policy: (revision: PolicyRevision, json: String)?
    /// A text that a device gets as its policy, whatever it states.
    private var policyText: String?
    /// The revisions that devices have stated, in logins and refreshes.
    private(set) var statedRevisions: [PolicyRevision?] = []

    private struct RefreshFamily {
        let device: DeviceID
        var previous: RefreshToken?
        var current: RefreshToken
    }

    func issueCode(for user: UserID = UserID(unchecked: "alice")) -> EnrolmentCode {
        let code = EnrolmentCode.random()
        codes[code] = (user, nil)
        return code
    }

    /// Accepts `code`, as if it had issued it.
    func accept(_ code: EnrolmentCode, for user: UserID = UserID(unchecked: "alice")) { codes[code] = (user, nil) }

    init(issuer: Issuer = Issuer(unchecked: "https://rp.example/base")) {
        self.issuer = issuer
    }

    /// Returns a copy with the same state. Later changes are independent.
    func copy() -> ScriptedRelyingParty { ScriptedRelyingParty(copying: self) }

    private init(copying original: isolated ScriptedRelyingParty) {
        issuer = original.issuer
        devices = original.devices
        verbs = original.verbs
        (bindings, logins, proofs) = (original.bindings, original.logins, original.proofs)
        script = original.script
        passwords = original.passwords
        (newestNonce, demandedNonce) = (original.newestNonce, original.demandedNonce)
        codes = original.codes
        challenges = original.challenges
        (families, familyOf) = (original.families, original.familyOf)
        (answerKey, policy, policyText) = (original.answerKey, original.policy, original.policyText)
        (transactions, decisions) = (original.transactions, original.decisions)
        (remoteLogins, remoteLoginCodes) = (original.remoteLogins, original.remoteLoginCodes)
        age = original.age
        (tokenCount, reuseCount) = (original.tokenCount, original.reuseCount)
    }

    /// Makes the next request of the kind fail.
    func script(_ verb: Verb, _ mishap: Mishap) { script[verb] = mishap }

    /// Demands `nonce` in proofs from now on. Its refusals contain the nonce.
    func demand(_ nonce: DPoPNonce) { demandedNonce = nonce }

    /// Refuses every nonce from now on.
    func refuseEveryNonce() { isNeverContent = true }

    /// Runs `event` between the next answer to a binding or a request for tokens and its arrival.
    func after(_ verb: Verb, _ event: @escaping @Sendable () async -> Void) { events[verb] = event }

    /// Advances its clock.
    func pass(_ duration: Duration) { age += duration }

    /// Ends all scripted faults.
    func calm() { script = [:] }

    func revokeAll() { barAll(.deviceRevoked) }

    /// Refuses every device with `code` from now on, or accepts it again.
    func barAll(_ code: ProblemCode?) { for id in devices.keys { devices[id]?.bar = code } }

    /// Forgets all devices, as after a restore from a backup that is older than every binding.
    func forgetDevices() {
        devices = [:]
        codes = [:]
        forgetRefreshTokens()
    }

    func forgetRefreshTokens() { families = [:] }

    func setPassword(_ password: Password, of user: UserID = UserID(unchecked: "alice")) { passwords[user] = password }

    func enrolmentCode(_ credentials: Credentials) throws(RelyingPartyError) -> EnrolmentCodeGrant {
        try perform(.enrolByPassword) { () throws(RelyingPartyError) in
            guard passwords[credentials.user] == credentials.password else { throw Self.refusal(.credentialsRefused) }
            return EnrolmentCodeGrant(
                user: credentials.user, code: issueCode(for: credentials.user), expiresAt: Self.now + .seconds(600))
        }
    }

    func beginBinding(_ request: BindingRequest) async throws(RelyingPartyError) -> BindingChallenge {
        try await carryOut(.beginBinding) { () throws(RelyingPartyError) in
            guard let code = codes[request.enrolmentCode], code.usedBy ?? request.deviceKey == request.deviceKey else {
                throw Self.refusal(.enrolmentCodeRefused)
            }
            let (challenge, handle) = makeChallenge(for: request.enrolmentCode)
            return BindingChallenge(
                user: code.user, challenge: challenge, handle: handle, issuedAt: Self.now + age,
                expiresAt: Self.now + age + .seconds(120))
        }
    }

    func finishBinding(_ answer: BindingAnswer) async throws(RelyingPartyError) -> BindingResult {
        try await carryOut(.finishBinding) { () throws(RelyingPartyError) in
            let message = try read(answer.message)
            bindings.append(message)
            guard let key = message.header.key, let claims = try? message.claims(BindingClaims.self),
                isSigned(message, by: key), let issued = challenges.removeValue(forKey: answer.handle),
                issued.challenge == claims.challenge, let code = issued.code, let user = codes[code]?.user,
                claims.subject == user, claims.audience == issuer
            else { throw Self.refusal(.messageRefused) }
            guard codes[code]?.usedBy ?? key.thumbprint == key.thumbprint else {
                throw Self.refusal(.enrolmentCodeRefused)
            }
            if let device = devices.values.first(where: { $0.key == key }) {
                guard device.result.user == user else { throw Self.refusal(.messageRefused) }
                if let bar = device.bar { throw Self.refusal(bar) }
                codes[code]?.usedBy = key.thumbprint
                return device.result
            }
            codes[code]?.usedBy = key.thumbprint
            let result = BindingResult(
                user: user, device: .random(), answerKey: try publicAnswerKey(),
                policy: delivery(for: user, newerThan: answer.policyRevision))
            devices[result.device] = Device(result: result, key: key, possessionKey: claims.possessionKey)
            return result
        }
    }

    /// Gives devices a key from now on, and signs policies with it.
    func sign(with key: P256.Signing.PrivateKey) { answerKey = key }

    /// Sets the policy, as JSON.
    func set(policy json: String, revision: PolicyRevision) { policy = (revision, json) }

    /// Sends this text as the policy from now on.
    func send(policyText text: String?) { policyText = text }

    private func publicAnswerKey() throws(RelyingPartyError) -> PublicJWK? {
        guard let answerKey else { return nil }
        guard let coordinates = ECPublicJWK(coordinates: Array(answerKey.publicKey.rawRepresentation)) else {
            throw Self.refusal(.internalError)
        }
        return .ec(coordinates)
    }

    private func delivery(
        for user: UserID, newerThan known: PolicyRevision?
    ) -> String? {
        if let policyText { return policyText }
        guard let answerKey, let policy, let known, policy.revision > known else { return nil }
        return Self.sign(policy: policy.json, revision: policy.revision, for: user, issuer: issuer, by: answerKey)
    }

    func beginLogin(_ request: LoginRequest) throws(RelyingPartyError) -> LoginChallenge {
        try perform(.beginLogin) { () throws(RelyingPartyError) in
            let (challenge, handle) = makeChallenge(for: nil)
            return LoginChallenge(
                challenge: challenge, handle: handle, issuedAt: Self.now + age,
                expiresAt: Self.now + age + .seconds(120))
        }
    }

    func tokens(_ request: TokenRequest, proof: String) async throws(RelyingPartyError) -> TokenGrant {
        try await carryOut(.tokens) { () throws(RelyingPartyError) in
            let proof = try note(proof)
            let id: DeviceID?
            let family: Int
            let known: PolicyRevision?
            switch request {
            case .login(let assertion, let handle, let stated):
                known = stated
                let message = try read(assertion)
                logins.append(message)
                id = devices.first { isSigned(message, by: $0.value.key) }?.key
                guard let claims = try? message.claims(LoginClaims.self),
                    challenges.removeValue(forKey: handle)?.challenge == claims.challenge
                else { throw Self.refusal(.messageRefused) }
                family = tokenCount
            case .refresh(let token, let stated):
                known = stated
                family = try useFamily(of: token)
                id = families[family]?.device
            }
            statedRevisions.append(known)
            guard let id, let device = devices[id] else { throw Self.refusal(.messageRefused) }
            if let bar = device.bar { throw Self.refusal(bar) }
            guard let key = proof.header.key, key.thumbprint == device.possessionKey, isSigned(proof, by: key) else {
                throw Self.refusal(.dpopProofRefused)
            }
            tokenCount += 1
            let successor = RefreshToken(unchecked: "refresh-\(tokenCount)")
            let presented: RefreshToken? = if case .refresh(let token, _) = request { token } else { nil }
            families[family] = RefreshFamily(device: id, previous: presented, current: successor)
            familyOf[successor] = family
            return TokenGrant(
                accessToken: AccessToken(unchecked: "access-\(tokenCount)"), expiresInSeconds: 300,
                refreshToken: successor, policy: delivery(for: device.result.user, newerThan: known))
        }
    }

    /// Returns the family of a token that may be used: the newest one, or the one that it replaced. Any other token
    /// ends the family.
    private func useFamily(of token: RefreshToken) throws(RelyingPartyError) -> Int {
        guard let number = familyOf[token], let family = families[number] else {
            throw Self.refusal(.refreshTokenRefused)
        }
        guard token == family.current || token == family.previous else {
            reuseCount += 1
            families[number] = nil
            throw Self.refusal(.refreshTokenRefused)
        }
        return number
    }

    func revokeToken(_ token: PresentedToken, proof: String) throws(RelyingPartyError) {
        try perform(.revokeToken) { () throws(RelyingPartyError) in
            let proof = try note(proof)
            guard case .refresh(let token) = token, let number = familyOf[token], let family = families[number] else {
                return
            }
            guard proof.header.key?.thumbprint == devices[family.device]?.possessionKey else {
                throw Self.refusal(.dpopProofRefused)
            }
            families[number] = nil
        }
    }

    func devices(_ authorization: Authorization) throws(RelyingPartyError) -> DeviceList {
        try perform(.devices) { () throws(RelyingPartyError) in
            let key = try note(authorization.proof).header.key?.thumbprint
            return DeviceList(devices: devices.values.map { Self.summary($0, isCurrent: $0.possessionKey == key) })
        }
    }

    func rename(
        _ id: DeviceID,
        _ request: RenameDeviceRequest,
        _ authorization: Authorization
    ) throws(RelyingPartyError) -> DeviceSummary {
        try change(id, authorization) { $0.name = request.name }
    }

    func block(_ id: DeviceID, _ authorization: Authorization) throws(RelyingPartyError) -> DeviceSummary {
        try change(id, authorization) { $0.bar = .deviceBlocked }
    }

    func unblock(_ id: DeviceID, _ authorization: Authorization) throws(RelyingPartyError) -> DeviceSummary {
        try change(id, authorization) { $0.bar = nil }
    }

    private func change(
        _ id: DeviceID,
        _ authorization: Authorization,
        _ change: (inout Device) -> Void
    ) throws(RelyingPartyError) -> DeviceSummary {
        try perform(.change) { () throws(RelyingPartyError) in
            try note(authorization.proof)
            guard var device = devices[id] else { throw Self.refusal(.notFound) }
            change(&device)
            devices[id] = device
            return Self.summary(device)
        }
    }

    func revoke(_ id: DeviceID, _ authorization: Authorization) throws(RelyingPartyError) -> DeviceSummary {
        try perform(.revoke) { () throws(RelyingPartyError) in
            try note(authorization.proof)
            devices[id]?.bar = .deviceRevoked
            guard let device = devices[id] else { throw Self.refusal(.notFound) }
            return Self.summary(device)
        }
    }

    func ask(_ details: TransactionDetails) -> TransactionID {
        let notice = TransactionNotice(id: .random(), details: details)
        transactions.append((notice, .pending))
        return notice.id
    }

    /// Ends a transaction, or changes its details, without the device.
    func change(_ id: TransactionID, to state: TransactionState? = nil, details: TransactionDetails? = nil) {
        guard let index = transactions.firstIndex(where: { $0.notice.id == id }) else { return }
        if let state { transactions[index].state = state }
        if let details { transactions[index].notice = TransactionNotice(id: id, details: details) }
    }

    func state(of id: TransactionID) -> TransactionState? { transactions.first { $0.notice.id == id }?.state }

    func pendingTransactions(_ authorization: Authorization) throws(RelyingPartyError) -> TransactionNoticeList {
        try perform(.pendingTransactions) { () throws(RelyingPartyError) in
            try note(authorization.proof)
            return TransactionNoticeList(transactions: transactions.filter { $0.state == .pending }.map(\.notice))
        }
    }

    func beginDecision(
        _ request: DecisionRequest,
        _ authorization: Authorization
    ) throws(RelyingPartyError) -> DecisionChallenge {
        try perform(.beginDecision) { () throws(RelyingPartyError) in
            try note(authorization.proof)
            guard let state = state(of: request.transaction) else { throw Self.refusal(.notFound) }
            if let refusal = Self.refusal(ended: state) { throw refusal }
            let (challenge, handle) = makeChallenge(for: nil)
            return DecisionChallenge(
                challenge: challenge, handle: handle, issuedAt: Self.now + age,
                expiresAt: Self.now + age + .seconds(120))
        }
    }

    func finishDecision(_ answer: DecisionAnswer) throws(RelyingPartyError) -> DecisionResult {
        try perform(.finishDecision) { () throws(RelyingPartyError) in
            let message = try read(answer.message)
            decisions.append(message)
            guard let device = devices.values.first(where: { isSigned(message, by: $0.key) }),
                let claims = try? message.claims(DecisionClaims.self), claims.audience == issuer,
                claims.subject == device.result.user,
                challenges.removeValue(forKey: answer.handle)?.challenge == claims.challenge,
                let index = transactions.firstIndex(where: { $0.notice.id == claims.transaction })
            else { throw Self.refusal(.messageRefused) }
            if let bar = device.bar { throw Self.refusal(bar) }
            if let refusal = Self.refusal(ended: transactions[index].state) { throw refusal }
            guard transactions[index].notice.details.hash == claims.detailsHash else {
                throw Self.refusal(.transactionChanged)
            }
            transactions[index].state = claims.decision.state
            return DecisionResult(transaction: claims.transaction, state: claims.decision.state)
        }
    }

    private static func refusal(ended state: TransactionState) -> RelyingPartyError? {
        switch state {
        case .pending: nil
        case .confirmed: refusal(.transactionConfirmed)
        case .rejected: refusal(.transactionRejected)
        case .expired: refusal(.transactionExpired)
        case .voided: refusal(.transactionVoided)
        }
    }

    /// Like ``perform(_:_:)``, with an event before the answer arrives.
    private func carryOut<Answer>(
        _ verb: Verb,
        _ work: () throws(RelyingPartyError) -> Answer
    ) async throws(RelyingPartyError) -> Answer {
        let event = events.removeValue(forKey: verb)
        let outcome = Result { () throws(RelyingPartyError) in try perform(verb, work) }
        await event?()
        return try outcome.get()
    }

    func perform<Answer>(
        _ verb: Verb,
        _ work: () throws(RelyingPartyError) -> Answer
    ) throws(RelyingPartyError) -> Answer {
        verbs.append(verb)
        switch script.removeValue(forKey: verb) {
        case nil: return try work()
        case .loseRequest: throw .unreachable(reason: "lost")
        case .refuse(let code): throw Self.refusal(code)
        case .refuseAfterwards(let code):
            _ = try work()
            throw Self.refusal(code)
        case .cancel: throw .cancelled
        case .loseAnswer:
            _ = try work()
            throw .unreachable(reason: "lost")
        }
    }

    func makeChallenge(for code: EnrolmentCode?) -> (Challenge, ChallengeHandle) {
        let handle = ChallengeHandle(unchecked: Challenge.random().rawValue)
        let challenge = Challenge.random()
        challenges[handle] = (challenge, code)
        return (challenge, handle)
    }

    /// Records a proof, and refuses it if it lacks the demanded nonce.
    @discardableResult
    func note(_ text: String) throws(RelyingPartyError) -> CompactJWS {
        let proof = try read(text)
        proofs.append(proof)
        guard !isNeverContent else {
            newestNonce = DPoPNonce(unchecked: "nonce-\(proofs.count)")
            throw Self.refusal(.dpopNonceRequired)
        }
        guard let demandedNonce, (try? proof.claims(DPoPClaims.self))?.nonce != demandedNonce else { return proof }
        newestNonce = demandedNonce
        throw Self.refusal(.dpopNonceRequired)
    }

    func read(_ text: String) throws(RelyingPartyError) -> CompactJWS {
        do {
            return try CompactJWS(text)
        } catch {
            throw Self.refusal(.messageRefused)
        }
    }

    static func refusal(_ code: ProblemCode) -> RelyingPartyError {
        .refused(RelyingPartyRefusal(code: code, status: status(of: code), title: "No."))
    }

    /// The status of a problem at the server's own routes.
    private static func status(of code: ProblemCode) -> Int {
        switch code {
        case .backendKeyRefused, .enrolmentCodeRefused, .messageRefused, .deviceRevoked, .deviceReplaced,
            .deviceBlocked,
            .accessTokenRefused, .dpopProofRefused, .dpopNonceRequired:
            401
        case .notFound: 404
        case .challengeUsed, .transactionChanged, .transactionConfirmed, .transactionRejected, .transactionExpired,
            .transactionVoided, .remoteLoginChanged, .remoteLoginEnded:
            409
        case .bodyTooLarge: 413
        case .rateLimited: 429
        case .internalError: 500
        case .unavailable: 503
        default: 400
        }
    }

    private static func summary(_ device: Device, isCurrent: Bool = true) -> DeviceSummary {
        DeviceSummary(
            id: device.result.device, name: device.name, boundAt: now, lastLoginAt: nil,
            status: device.bar == nil ? .active : device.bar == .deviceBlocked ? .blocked : .revoked,
            isCurrent: isCurrent)
    }
}

/// Whether `message` has a signature by `key`, verified by swift-crypto.
func isSigned(_ message: CompactJWS, by key: PublicJWK) -> Bool {
    guard case .ec(let point) = key, message.header.algorithm == .es256,
        let key = try? P256.Signing.PublicKey(rawRepresentation: point.coordinates),
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: message.signature)
    else { return false }
    return key.isValidSignature(signature, for: message.signingInput)
}
