extension AuditEvent {
    /// ``claims`` with invisible and control characters escaped for display, because the signer chooses their text.
    package var shownClaims: String? { claims?.withEscapes }
}
