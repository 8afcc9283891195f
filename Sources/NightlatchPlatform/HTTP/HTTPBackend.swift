public import Nightlatch
public import NightlatchWire

/// What an app's backend asks of the relying party. It knows by its own means who a user is.
public struct HTTPBackend: Sendable {
    private let connection: HTTPConnection
    private let key: BackendKey

    /// - Parameters:
    ///   - issuer: The relying party's URL.
    ///   - key: The key that the relying party's operator has given to the backend.
    ///   - timeout: How long to wait for a whole answer, however its parts come in.
    public init(issuer: Issuer, key: BackendKey, timeout: Duration = .seconds(30)) {
        connection = HTTPConnection(issuer: issuer, timeout: timeout)
        self.key = key
    }

    /// A new code that lets `user` bind one device. The user is made if there is none yet.
    ///
    /// If the answer is lost, ask again: the lost code dies unused.
    public func enrolmentCode(for user: UserID) async throws(RelyingPartyError) -> EnrolmentCodeGrant {
        try await connection.send(EnrolmentCodeRequest(user: user), to: .enrolmentCodes, headers: headers)
    }

    /// Asks for a decision. If the answer is lost, send the same request again: it makes no second transaction.
    ///
    /// - Returns: The transaction as it stands.
    public func create(_ transaction: TransactionRequest) async throws(RelyingPartyError) -> TransactionReport {
        try await connection.send(transaction, to: .createTransaction, headers: headers)
    }

    /// A transaction, with its proof if it was decided. The proof is there for 90 days after the transaction has expired.
    public func transaction(_ id: TransactionID) async throws(RelyingPartyError) -> TransactionReport {
        try await connection.send(
            to: .transaction, path: Route.transaction.path(transaction: id), headers: headers)
    }

    /// The transactions of `user`, oldest first, without proofs: those that are pending, and the ten newest that have ended.
    public func transactions(of user: UserID) async throws(RelyingPartyError) -> TransactionReportList {
        try await connection.send(to: .transactions, path: Route.transactions.path(user: user), headers: headers)
    }

    /// Takes a transaction back that nobody has decided yet. Again changes nothing.
    ///
    /// - Throws: `RelyingPartyError`, a refusal with `ProblemCode.transactionConfirmed` and its like if it had ended before.
    public func void(_ id: TransactionID) async throws(RelyingPartyError) -> TransactionReport {
        try await connection.send(
            to: .voidTransaction, path: Route.voidTransaction.path(transaction: id), headers: headers)
    }

    /// Sets the user's password. The user is made if there is none yet. Asking again does the same again.
    public func setPassword(_ credentials: Credentials) async throws(RelyingPartyError) -> CredentialsResult {
        try await connection.send(credentials, to: .setPassword, headers: headers)
    }

    /// Returns if the user's password is right. A wrong one counts as if a device had shown it.
    ///
    /// - Throws: `RelyingPartyError`, with `ProblemCode.credentialsRefused` for a wrong one, or after too many of late.
    public func verifyPassword(_ credentials: Credentials) async throws(RelyingPartyError) -> CredentialsResult {
        try await connection.send(credentials, to: .verifyPassword, headers: headers)
    }

    /// What `token` is worth at this moment: whether its login holds, its device is not revoked and it has not expired. Whoever
    /// presented it must have shown a proof by the key that the answer names.
    public func introspect(_ token: PresentedToken) async throws(RelyingPartyError) -> TokenIntrospection {
        try await connection.send(form: token.fields, to: .introspectToken, headers: headers)
    }

    private var headers: [String: String] { ["Authorization": "Bearer \(key.rawValue)"] }
}
