import NightlatchWire

extension ExchangeReading {
    static func transaction(_ exchange: Exchange) -> Self? {
        guard let report: TransactionReport = exchange.answer() else { return nil }
        return Self(
            "Payment to confirm",
            [
                "Amount": "\(report.details.amount) \(report.details.currency)", "To": report.details.payee.rawValue,
                "Hash of the details": short(report.details.hash.rawValue), "State": report.state.rawValue,
            ])
    }

    static func pendingTransactions(_ exchange: Exchange) -> Self? {
        guard let list: TransactionNoticeList = exchange.answer() else { return nil }
        return Self(
            "Device asks for its pending payments", ["Pending": String(list.transactions.count)],
            .protectedRoute, proof(of: exchange).map { [5: $0] } ?? [:])
    }

    static func beginDecision(_ exchange: Exchange) -> Self? {
        guard let challenge: DecisionChallenge = exchange.answer() else { return nil }
        return Self(
            "Challenge for a decision",
            ["Challenge": short(challenge.challenge.rawValue), "Handle": sealed(challenge.handle)],
            .protectedRoute, proof(of: exchange).map { [5: $0] } ?? [:])
    }

    static func decision(_ exchange: Exchange) -> Self? {
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
}
