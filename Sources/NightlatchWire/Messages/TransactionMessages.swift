/// The backend's request for a user's decision on a transaction.
public struct TransactionRequest: Codable, Hashable, Sendable {
    /// The id, which the backend chooses at random. Repeating the request with the same id after a lost answer creates
    /// no second transaction.
    public let id: TransactionID
    public let user: UserID
    /// The devices of the user that may decide.
    public let devices: TransactionAddressees
    public let details: TransactionDetails

    public init(id: TransactionID, user: UserID, devices: TransactionAddressees, details: TransactionDetails) {
        self.id = id
        self.user = user
        self.devices = devices
        self.details = details
    }
}

/// A transaction, as the relying party reports it to the app's backend.
public struct TransactionReport: Codable, Hashable, Sendable {
    public let id: TransactionID
    public let user: UserID
    public let devices: TransactionAddressees
    public let details: TransactionDetails
    public let state: TransactionState
    public let createdAt: NumericDate
    /// The time when the transaction was decided or voided.
    public let endedAt: NumericDate?
    /// The signed decision, if the transaction is decided and was requested by its id. Lists do not contain proofs.
    public let proof: DecisionProof?

    public init(
        id: TransactionID,
        user: UserID,
        devices: TransactionAddressees,
        details: TransactionDetails,
        state: TransactionState,
        createdAt: NumericDate,
        endedAt: NumericDate?,
        proof: DecisionProof?
    ) {
        self.id = id
        self.user = user
        self.devices = devices
        self.details = details
        self.state = state
        self.createdAt = createdAt
        self.endedAt = endedAt
        self.proof = proof
    }

    private enum CodingKeys: String, CodingKey {
        case id, user, devices, details, state, proof
        case createdAt = "created_at"
        case endedAt = "ended_at"
    }
}

/// The data with which the app's backend checks a decision itself.
///
/// The backend checks that the key signed the message, that the message names the transaction, and that it contains the
/// hash of the details that the backend requested.
public struct DecisionProof: Codable, Hashable, Sendable {
    /// The device that decided.
    public let device: DeviceID
    /// The device key of that device.
    public let key: PublicJWK
    /// A compact JWS with ``DecisionClaims``, as the device sent it.
    public let message: String

    public init(device: DeviceID, key: PublicJWK, message: String) {
        self.device = device
        self.key = key
        self.message = message
    }
}

/// The transactions of one user, as the relying party reports them to the app's backend.
public struct TransactionReportList: Codable, Hashable, Sendable {
    public let transactions: [TransactionReport]

    public init(transactions: [TransactionReport]) {
        self.transactions = transactions
    }
}

/// The pending transactions that the calling device may decide, oldest first.
public struct TransactionNoticeList: Codable, Hashable, Sendable {
    public let transactions: [TransactionNotice]

    public init(transactions: [TransactionNotice]) {
        self.transactions = transactions
    }
}

/// A pending transaction, as a device gets it. Some cannot be shown to a user (``TransactionDetails/canBeShown``).
public struct TransactionNotice: Codable, Hashable, Sendable {
    public let id: TransactionID
    public let details: TransactionDetails

    public init(id: TransactionID, details: TransactionDetails) {
        self.id = id
        self.details = details
    }
}

extension TransactionNotice {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(TransactionID.self, forKey: .id)
        details = try container.decode(ListedTransactionDetails.self, forKey: .details).details
    }
}
