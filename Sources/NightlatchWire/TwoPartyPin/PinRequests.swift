/// One signed message about a two-party PIN: a compact JWS with ``PinClaims`` that carries its key.
public struct PinRequest: Codable, Hashable, Sendable {
    public let message: String

    public init(message: String) {
        self.message = message
    }
}

/// A signed ``PinOpening``.
public struct PinOpeningRequest: Codable, Hashable, Sendable {
    public let message: String
    /// Where the standing says that the device key alone may open nothing; nil elsewhere, and with a knowledge key.
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

/// A signed ``PinPromotion``, and the ``PinCandidacy`` of the key that it names.
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
