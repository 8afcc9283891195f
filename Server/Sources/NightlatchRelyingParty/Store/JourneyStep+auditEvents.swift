extension JourneyStep {
    /// What the audit log says of it.
    ///
    /// - Parameter replaced: The keys whose names its bindings have taken.
    package func auditEvents(replacing replaced: [JourneyDevice]) -> [AuditEvent] {
        var events = replaced.map { AuditEvent(removed: $0, by: .user) }
        events += bindings.map { AuditEvent($0) }
        events += signings.map { AuditEvent($0) }
        if let session { events.append(AuditEvent(session)) }
        return events
    }
}
