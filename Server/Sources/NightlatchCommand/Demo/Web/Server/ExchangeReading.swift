import Crypto
import Foundation
import NightlatchWire

/// What is shown of an exchange, read out of what was on the wire.
struct ExchangeReading {
    let headline: String
    var facts: [ServerEvent.Fact] = []
    var steps: [ServerEvent.Step] = []
    var endsCeremony = false

    /// Nil for what is of no interest.
    init?(_ exchange: Exchange) {
        if let refusal = exchange.refusal {
            headline = refusal.code == .dpopNonceRequired ? "Asks for a proof with a fresh nonce" : "Refused"
            facts = [.init(label: "Code", value: refusal.code.rawValue), .init(label: "Says", value: refusal.sentence)]
            return
        }
        guard exchange.status < 400, let reading = Self.reading(of: exchange) else { return nil }
        self = reading
    }

    private init(
        _ headline: String,
        _ facts: KeyValuePairs<String, String>,
        _ verified: VerifiedSteps? = nil,
        _ evidence: [Int: String] = [:]
    ) {
        self.headline = headline
        self.facts = facts.map { ServerEvent.Fact(label: $0.key, value: $0.value) }
        steps = verified?.steps(evidence) ?? []
        endsCeremony = verified != nil && verified != .protectedRoute
    }

    private static func reading(of exchange: Exchange) -> Self? {
        if exchange.isAnswered(by: .enrolmentCodes) { return enrolment(exchange) }
        if exchange.isAnswered(by: .beginBinding) { return beginBinding(exchange) }
        if exchange.isAnswered(by: .finishBinding) { return binding(exchange) }
        if exchange.isAnswered(by: .beginLogin) { return beginLogin(exchange) }
        if exchange.isAnswered(by: .token) { return tokens(exchange) }
        if exchange.isAnswered(by: .createTransaction) { return transaction(exchange) }
        if exchange.isAnswered(by: .pendingTransactions) { return pendingTransactions(exchange) }
        if exchange.isAnswered(by: .beginDecision) { return beginDecision(exchange) }
        if exchange.isAnswered(by: .finishDecision) { return decision(exchange) }
        if exchange.isAnswered(by: .revokeDevice) { return revocation(exchange) }
        return nil
    }

    private static func enrolment(_ exchange: Exchange) -> Self? {
        guard let grant: EnrolmentCodeGrant = exchange.answer() else { return nil }
        return Self(
            "One-time code for \(grant.user)",
            [
                "Code": "\(EnrolmentCode.bitCount) random bits; the server keeps a MAC of it",
                "Good until": time(grant.expiresAt),
            ])
    }

    private static func beginBinding(_ exchange: Exchange) -> Self? {
        guard let request: BindingRequest = exchange.message(), let challenge: BindingChallenge = exchange.answer()
        else { return nil }
        return Self(
            "Challenge for a binding",
            [
                "User": challenge.user.rawValue, "Device key": short(request.deviceKey.rawValue),
                "Challenge": short(challenge.challenge.rawValue), "Handle": sealed(challenge.handle),
            ])
    }

    private static func binding(_ exchange: Exchange) -> Self? {
        guard let answer: BindingAnswer = exchange.message(), let result: BindingResult = exchange.answer(),
            let (message, claims) = read(answer.message, as: BindingClaims.self)
        else { return nil }
        return Self(
            "Device bound",
            [
                "User": result.user.rawValue, "Device": short(result.device.rawValue),
                "Named": claims.deviceName.rawValue,
            ],
            .binding,
            [
                2: "typ \(message.header.type.rawValue)",
                4: "thumbprint \(short(message.header.key?.thumbprint.rawValue ?? ""))",
                5: "alg \(message.header.algorithm.rawValue)",
                7: "aud \(claims.audience), sub \(claims.subject), challenge \(short(claims.challenge.rawValue))",
                8: "exp − iat = \(seconds(claims.expiresAt - claims.issuedAt))",
            ])
    }

    private static func beginLogin(_ exchange: Exchange) -> Self? {
        guard let request: LoginRequest = exchange.message(), let challenge: LoginChallenge = exchange.answer()
        else { return nil }
        return Self(
            "Challenge for a login",
            [
                "User": request.user.rawValue, "Challenge": short(challenge.challenge.rawValue),
                "Handle": sealed(challenge.handle),
            ])
    }

    private static func tokens(_ exchange: Exchange) -> Self? {
        guard let request = exchange.tokenRequest, let grant: TokenGrant = exchange.answer() else { return nil }
        let tokens: KeyValuePairs = [
            "Access token": fingerprint(grant.accessToken.rawValue) + ", good for \(grant.expiresInSeconds) s",
            "Refresh token": fingerprint(grant.refreshToken.rawValue),
        ]
        let proof = proof(of: exchange)
        switch request {
        case .login(let assertion, _):
            guard let (message, claims) = read(assertion, as: LoginClaims.self) else { return nil }
            return Self(
                "Login verified", tokens,
                .login,
                [
                    2: "typ \(message.header.type.rawValue)", 3: "alg \(message.header.algorithm.rawValue)",
                    4: "kid \(short(message.header.keyID?.rawValue ?? ""))",
                    5: "user_verification \(claims.userVerification?.rawValue ?? "none")",
                    6: "aud \(claims.audience), sub \(claims.subject), challenge \(short(claims.challenge.rawValue))",
                    7: "exp − iat = \(seconds(claims.expiresAt - claims.issuedAt))", 9: proof ?? "",
                ])
        case .refresh(let token):
            return Self(
                "Session renewed", tokens,
                .refresh, [2: proof ?? "", 3: fingerprint(token.rawValue)])
        }
    }

    private static func transaction(_ exchange: Exchange) -> Self? {
        guard let report: TransactionReport = exchange.answer() else { return nil }
        return Self(
            "Payment to be confirmed",
            [
                "Amount": "\(report.details.amount) \(report.details.currency)", "To": report.details.payee.rawValue,
                "Hash of the details": short(report.details.hash.rawValue), "State": report.state.rawValue,
            ])
    }

    private static func pendingTransactions(_ exchange: Exchange) -> Self? {
        guard let list: TransactionNoticeList = exchange.answer() else { return nil }
        return Self(
            "Device asks what waits for it", ["Pending": String(list.transactions.count)],
            .protectedRoute, proof(of: exchange).map { [5: $0] } ?? [:])
    }

    private static func beginDecision(_ exchange: Exchange) -> Self? {
        guard let challenge: DecisionChallenge = exchange.answer() else { return nil }
        return Self(
            "Challenge for a decision",
            ["Challenge": short(challenge.challenge.rawValue), "Handle": sealed(challenge.handle)],
            .protectedRoute, proof(of: exchange).map { [5: $0] } ?? [:])
    }

    private static func decision(_ exchange: Exchange) -> Self? {
        guard let answer: DecisionAnswer = exchange.message(), let result: DecisionResult = exchange.answer(),
            let (message, claims) = read(answer.message, as: DecisionClaims.self)
        else { return nil }
        return Self(
            "Payment \(result.state.rawValue)",
            ["Decision": claims.decision.rawValue, "Hash of the details": short(claims.detailsHash.rawValue)],
            .decision,
            [
                2: "typ \(message.header.type.rawValue)", 3: "alg \(message.header.algorithm.rawValue)",
                4: "kid \(short(message.header.keyID?.rawValue ?? ""))",
                6: "sub \(claims.subject), challenge \(short(claims.challenge.rawValue))",
                7: "exp − iat = \(seconds(claims.expiresAt - claims.issuedAt))",
                9: "details_hash \(short(claims.detailsHash.rawValue))",
            ])
    }

    private static func revocation(_ exchange: Exchange) -> Self? {
        guard let device: DeviceSummary = exchange.answer() else { return nil }
        return Self(
            "Device revoked", ["Device": short(device.id.rawValue), "Status": device.status.rawValue],
            .protectedRoute, proof(of: exchange).map { [5: $0] } ?? [:])
    }

    // MARK: How it is written

    private static func read<Claims: MessageClaims>(
        _ text: String, as type: Claims.Type
    ) -> (message: CompactJWS, claims: Claims)? {
        do {
            let message = try CompactJWS(text)
            return (message, try message.claims(type))
        } catch {
            return nil
        }
    }

    private static func proof(of exchange: Exchange) -> String? {
        exchange.proof.flatMap { read($0, as: DPoPClaims.self) }.map { message, claims in
            "\(claims.method) \(claims.url), by \(short(message.header.key?.thumbprint.rawValue ?? ""))"
        }
    }

    /// Enough of an identifier to tell it from others.
    static func short(_ text: String) -> String { text.count > 14 ? text.prefix(12) + "…" : text }

    private static func sealed(_ handle: ChallengeHandle) -> String {
        "sealed, \(handle.rawValue.utf8.count) characters; nothing is stored"
    }

    /// What may be told of a token.
    static func fingerprint(_ token: String) -> String {
        let hash = SHA256.hash(data: Data(token.utf8)).prefix(4).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "\(token.utf8.count) characters, SHA-256 \(hash.joined())…"
    }

    private static func seconds(_ duration: Duration) -> String { "\(duration.components.seconds) s" }

    static func time(_ date: NumericDate) -> String { date.date.formatted(Self.clock) }

    /// Hours, minutes and seconds in UTC, whatever language the machine speaks.
    static let clock = Date.ISO8601FormatStyle(timeZone: .gmt).time(includingFractionalSeconds: false).timeSeparator(
        .colon)
}
