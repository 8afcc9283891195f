/// A signed message about a two-party PIN: a compact JWS with ``PinClaims``. Its header contains the signer's public
/// key.
public struct PinRequest: Codable, Hashable, Sendable {
    public let message: String

    public init(message: String) {
        self.message = message
    }
}

/// A signed ``PinOpening``.
public struct PinOpeningRequest: Codable, Hashable, Sendable {
    public let message: String
    /// An enrolment code, if the standing requires one for the device key. Nil otherwise, and with a knowledge key.
    public let enrolmentCode: EnrolmentCode?

    public init(message: String, enrolmentCode: EnrolmentCode? = nil) {
        self.message = message
        self.enrolmentCode = enrolmentCode
    }

    private enum CodingKeys: String, CodingKey {
        case message
        case enrolmentCode = "enrolment_code"
    }
}

/// A signed ``PinPromotion``, and the ``PinCandidacy`` by the new knowledge key.
public struct PinPromotionRequest: Codable, Hashable, Sendable {
    public let message: String
    public let knowledgeKeyMessage: String

    public init(message: String, knowledgeKeyMessage: String) {
        self.message = message
        self.knowledgeKeyMessage = knowledgeKeyMessage
    }

    private enum CodingKeys: String, CodingKey {
        case message
        case knowledgeKeyMessage = "knowledge_key_message"
    }
}
