public import Nightlatch
public import NightlatchWire

/// The requests of an app's backend to the relying party. The backend authenticates its users itself.
public struct HTTPBackend: Sendable {
    private let connection: HTTPConnection
    private let key: BackendKey

    /// Creates a client for the backend.
    ///
    /// - Parameters:
    ///   - issuer: The relying party's URL.
    ///   - key: The backend key from the relying party's operator.
    ///   - timeout: The maximum time for a whole answer.
    ///   - transport: Sends the requests, for example with other certificate authorities than the system's. If nil,
    ///     Foundation sends them.
    public init(
        issuer: Issuer,
        key: BackendKey,
        timeout: Duration = .seconds(30),
        transport: (any HTTPTransport)? = nil
    ) {
        connection = HTTPConnection(issuer: issuer, timeout: timeout, transport: transport)
        self.key = key
    }

    /// Requests a code with which `user` can bind one device. The relying party adds a user that it does not know.
    ///
    /// If the answer is lost, request a new code. The lost one then stops working.
    public func enrolmentCode(for user: UserID) async throws(RelyingPartyError) -> EnrolmentCodeGrant {
        try await connection.send(EnrolmentCodeRequest(user: user), to: .enrolmentCodes, headers: headers)
    }

    /// Requests a decision. After a lost answer, send the same request again; it makes no second transaction.
    ///
    /// - Returns: The transaction in its current state.
    public func create(_ transaction: TransactionRequest) async throws(RelyingPartyError) -> TransactionReport {
        try await connection.send(transaction, to: .createTransaction, headers: headers)
    }

    /// Returns a transaction, with its proof if it was decided. The proof is kept until 90 days after the transaction's
    /// expiry.
    public func transaction(_ id: TransactionID) async throws(RelyingPartyError) -> TransactionReport {
        try await connection.send(
            to: .transaction, path: Route.transaction.path(transaction: id), headers: headers)
    }

    /// Returns the transactions of `user`, oldest first, without proofs: all pending ones and the ten newest that have
    /// ended.
    public func transactions(of user: UserID) async throws(RelyingPartyError) -> TransactionReportList {
        try await connection.send(to: .transactions, path: Route.transactions.path(user: user), headers: headers)
    }

    /// Voids a pending transaction. Idempotent.
    ///
    /// - Throws: `RelyingPartyError`. It is a refusal such as `ProblemCode.transactionConfirmed` if the transaction had
    ///   ended.
    public func void(_ id: TransactionID) async throws(RelyingPartyError) -> TransactionReport {
        try await connection.send(
            to: .voidTransaction, path: Route.voidTransaction.path(transaction: id), headers: headers)
    }

    /// Sets the user's password. The relying party adds a user that it does not know. Idempotent.
    public func setPassword(_ credentials: Credentials) async throws(RelyingPartyError) -> CredentialsResult {
        try await connection.send(credentials, to: .setPassword, headers: headers)
    }

    /// Verifies the user's password. A wrong password counts in the same way as one from a device.
    ///
    /// - Throws: `RelyingPartyError`. It has `ProblemCode.credentialsRefused` if the password is wrong, or after too
    ///   many wrong ones.
    public func verifyPassword(_ credentials: Credentials) async throws(RelyingPartyError) -> CredentialsResult {
        try await connection.send(credentials, to: .verifyPassword, headers: headers)
    }

    /// Returns the current state of `token`: whether its login is valid, its device is not revoked, and it has not
    /// expired.
    ///
    /// The caller must also check that the token's sender proved possession of the key in the answer.
    public func introspect(_ token: PresentedToken) async throws(RelyingPartyError) -> TokenIntrospection {
        try await connection.send(form: token.fields, to: .introspectToken, headers: headers)
    }

    private var headers: [String: String] { ["Authorization": "Bearer \(key.rawValue)"] }
}
