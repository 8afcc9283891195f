import NightlatchWire

/// The page's description of an exchange, decoded from the bytes that were sent.
struct ExchangeReading {
    let headline: String
    var facts: [ServerEvent.Fact] = []
    var steps: [ServerEvent.Step] = []
    var endsCeremony = false

    /// Creates the description of an exchange; nil if the page does not show the exchange.
    init?(_ exchange: Exchange) {
        if let refusal = exchange.refusal {
            headline = refusal.code == .dpopNonceRequired ? "Asks for a proof with a new nonce" : "Refused"
            facts = [.init(label: "Code", value: refusal.code.rawValue), .init(label: "Says", value: refusal.sentence)]
            return
        }
        guard exchange.status < 400, let reading = Self.reading(of: exchange) else { return nil }
        self = reading
    }

    init(
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
        if exchange.isAnswered(by: .setPassword) { return password(exchange) }
        if exchange.isAnswered(by: .enrolByPassword) { return signIn(exchange) }
        if exchange.isAnswered(by: .beginBinding) { return beginBinding(exchange) }
        if exchange.isAnswered(by: .finishBinding) { return binding(exchange) }
        if exchange.isAnswered(by: .beginLogin) { return beginLogin(exchange) }
        if exchange.isAnswered(by: .token) { return exchange.sender == .shop ? code(exchange) : tokens(exchange) }
        if exchange.isAnswered(by: .createTransaction) { return transaction(exchange) }
        if exchange.isAnswered(by: .pendingTransactions) { return pendingTransactions(exchange) }
        if exchange.isAnswered(by: .beginDecision) { return beginDecision(exchange) }
        if exchange.isAnswered(by: .finishDecision) { return decision(exchange) }
        if exchange.isAnswered(by: .revokeDevice) { return revocation(exchange) }
        return exchange.sender == .browser ? browser(exchange) : remoteLogin(exchange)
    }

    /// The exchanges of a phone about logins elsewhere.
    private static func remoteLogin(_ exchange: Exchange) -> Self? {
        if exchange.isAnswered(by: .remoteLogins) { return remoteLogins(exchange) }
        if exchange.isAnswered(by: .claimRemoteLogin) { return claimedLogin(exchange) }
        if exchange.isAnswered(by: .beginRemoteLogin) { return beginDecision(exchange) }
        if exchange.isAnswered(by: .finishRemoteLogin) { return loginDecision(exchange) }
        return nil
    }
}
