/// The app's backend asks for a user's decision on a transaction.
public struct TransactionRequest: Codable, Hashable, Sendable {
    /// Made by the backend, at random. The same request again, after a lost answer, makes no second transaction.
    public let id: TransactionID
    public let user: UserID
    /// Which of the user's devices may decide.
    public let devices: TransactionAddressees
    public let details: TransactionDetails

    public init(id: TransactionID, user: UserID, devices: TransactionAddressees, details: TransactionDetails) {
        self.id = id
        self.user = user
        self.devices = devices
        self.details = details
    }
}

/// A transaction as the app's backend sees it.
public struct TransactionReport: Codable, Hashable, Sendable {
    public let id: TransactionID
    public let user: UserID
    public let devices: TransactionAddressees
    public let details: TransactionDetails
    public let state: TransactionState
    public let createdAt: NumericDate
    /// When it was decided or voided.
    public let endedAt: NumericDate?
    /// The signed decision, where there is one and one transaction was asked for. Lists leave it out.
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

/// What the app's backend needs to check a decision by itself: that the message is signed by the key, speaks of the transaction,
/// and carries the hash of the details that the backend meant.
public struct DecisionProof: Codable, Hashable, Sendable {
    /// The device that decided.
    public let device: DeviceID
    /// Its device key.
    public let key: PublicJWK
    /// A compact JWS with ``DecisionClaims``, as the device sent it.
    public let message: String

    public init(device: DeviceID, key: PublicJWK, message: String) {
        self.device = device
        self.key = key
        self.message = message
    }
}

/// The transactions of one user, as the app's backend sees them.
public struct TransactionReportList: Codable, Hashable, Sendable {
    public let transactions: [TransactionReport]

    public init(transactions: [TransactionReport]) {
        self.transactions = transactions
    }
}

/// The transactions that wait for a decision by the device that asks, oldest first.
public struct TransactionNoticeList: Codable, Hashable, Sendable {
    public let transactions: [TransactionNotice]

    public init(transactions: [TransactionNotice]) {
        self.transactions = transactions
    }
}

/// A transaction that waits for a decision, as a device sees it. Not all of them can be shown (``TransactionDetails/canBeShown``).
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
