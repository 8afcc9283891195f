extension AuditEvent {
    /// ``claims`` as people are shown them, since who has signed them has chosen them.
    package var shownClaims: String? { claims?.withEscapes }
}
