import Crypto

/// The relying party's signed statement of a user's policy at an app.
///
/// It is a compact JWS, signed with the key that the device pinned when it was bound (`answer_key`). So an attacker on
/// the connection cannot make a policy. The statement names the server, the app and the user, and is useless for
/// others.
public struct PolicyClaims: MessageClaims, Hashable {
    public static let messageType = MessageType.policy

    /// The relying party.
    public let issuer: Issuer
    /// The app.
    public let audience: ClientID
    public let subject: UserID
    /// The time of the signature. The same revision may be signed more than once.
    public let issuedAt: NumericDate
    public let revision: PolicyRevision
    /// The policy, without what this version does not know (``ignoredMembers``).
    public let policy: Policy
    /// The members and values that this version does not know: see ``ReceivedPolicy/ignoredMembers``.
    public let ignoredMembers: [String]
    /// The policy as JSON, including what this version does not know. Two statements have the same content if these
    /// texts are equal.
    public let content: String

    public init(
        issuer: Issuer, audience: ClientID, subject: UserID, issuedAt: NumericDate, revision: PolicyRevision,
        policy: Policy
    ) {
        self.issuer = issuer
        self.audience = audience
        self.subject = subject
        self.issuedAt = issuedAt
        self.revision = revision
        self.policy = policy
        ignoredMembers = []
        content = String(decoding: StrictJSON.bytes(of: policy), as: UTF8.self)
    }

    /// The maximum size of a statement, in bytes. It fits into a vault beside the app's secrets.
    public static let byteCountLimit = 4096

    /// Reads a statement that `key` has signed.
    ///
    /// - Parameters:
    ///   - text: A compact JWS.
    ///   - key: The key that the device has pinned.
    /// - Throws: ``PolicyStatementError``. Nothing of the statement is used, and a retry does not help.
    public init(_ text: String, signedBy key: PublicJWK) throws(PolicyStatementError) {
        guard text.utf8.count <= Self.byteCountLimit else { throw .malformed }
        let message: CompactJWS
        do {
            message = try CompactJWS(text)
        } catch {
            throw .malformed
        }
        guard case .ec(let key) = key, message.header.algorithm == .es256, message.signature.count == 64,
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: message.signature),
            key.verificationKey.isValidSignature(signature, for: message.signingInput)
        else { throw .wrongSignature }
        do {
            self = try message.claims()
        } catch {
            throw .malformed
        }
    }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        issuer = try members.value("iss")
        audience = try members.value("aud")
        subject = try members.value("sub")
        issuedAt = try members.value("iat")
        revision = try members.value("revision")
        // A device states `first` if it has no policy.
        guard revision > .first else { throw members.broken("revision", "must be at least 1") }
        let received: ReceivedPolicy = try members.value("policy")
        policy = received.policy
        ignoredMembers = received.ignoredMembers
        content = try members.value("policy", as: JSONValue.self).json
    }

    /// - Precondition: ``ignoredMembers`` is empty: only the relying party writes statements.
    public func encode(to encoder: any Encoder) throws {
        precondition(ignoredMembers.isEmpty, "a statement cannot be written without the members that it ignores")
        var members = JSONObjectWriter(encoder)
        try members.add("aud", audience)
        try members.add("iat", issuedAt)
        try members.add("iss", issuer)
        try members.add("policy", policy)
        try members.add("revision", revision)
        try members.add("sub", subject)
    }
}

/// The reason why a text is not a policy that the relying party has signed.
public enum PolicyStatementError: Error, Hashable, Sendable {
    /// The pinned key did not sign it.
    case wrongSignature
    /// It is too large, not a message of this kind, or its claims are not valid.
    case malformed
}
