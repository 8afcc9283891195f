package import NightlatchWire

/// Sends signed questions to backends.
package protocol BackendTransport: Sendable {
    /// Sends `message` in a POST request, follows no redirect, and returns the body of the answer.
    ///
    /// - Returns: The body; nil if there is no answer in time, its status is not 200, or its body is larger than
    ///   `byteCountLimit`.
    func post(_ message: String, to url: String, timeout: Duration, byteCountLimit: Int) async -> [UInt8]?
}

/// Asks backends for the outcomes of nodes.
package struct BackendDecisions: Sendable {
    let issuer: Issuer
    let keys: TokenKeys
    let transport: any BackendTransport

    /// The `typ` of a question. No message to this server has it, so no question can be used as another message.
    package static let messageType = "nightlatch-journey-decision+jwt"

    /// The largest answer, in bytes.
    private static let byteCountLimit = 4096

    package init(issuer: Issuer, keys: TokenKeys, transport: any BackendTransport) {
        self.issuer = issuer
        self.keys = keys
        self.transport = transport
    }

    /// Returns the outcome that the backend chooses; nil if it does not choose one of the question's outcomes in time.
    func outcome(
        of question: BackendQuestion,
        realm: JourneyRealm,
        now: NumericDate
    ) async throws(Refusal) -> String? {
        let signer = try await answer { () async throws(RelyingPartyStoreError) in try await keys.issuer(now: now) }
        let message: String
        do {
            message = try signer.sign(
                question.claims(issuer: issuer, realm: realm, now: now), type: Self.messageType, now: now)
        } catch {
            throw .internalError
        }
        let body = await transport.post(
            message, to: question.url, timeout: question.timeout, byteCountLimit: Self.byteCountLimit)
        let limits = JSONLimits(byteCount: Self.byteCountLimit, depth: 8)
        guard let body, let json = try? StrictJSON.decode(JSONValue.self, from: body, limits: limits),
            let chosen = json["outcome"]?.string
        else { return nil }
        // The file's own string is used, so that the backend's text reaches neither the target lookup nor the logs.
        return question.outcomes.first(where: chosen.isExactly)
    }
}
