extension AuditEvent {
    /// ``claims`` with invisible and control characters escaped for display, because the signer chooses their text.
    package var shownClaims: String? { claims?.withEscapes }

    /// ``members`` as a list; nil for none.
    package var shownMembers: String? {
        guard let members, !members.isEmpty else { return nil }
        return members.map(\.rawValue).joined(separator: ", ")
    }
}
