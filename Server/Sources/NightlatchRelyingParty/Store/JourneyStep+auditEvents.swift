extension JourneyStep {
    /// The audit log events for this step.
    ///
    /// - Parameter replaced: The keys that its bindings replaced.
    package func auditEvents(replacing replaced: [JourneyDevice]) -> [AuditEvent] {
        var events = creation.map { [AuditEvent(.passwordSet, by: .user, user: $0.user)] } ?? []
        if let creation, let profile = creation.profile {
            events.append(AuditEvent(profile: profile, replacing: nil, of: creation.user, by: .user))
        }
        events += replaced.map { AuditEvent(removed: $0, by: .user) }
        events += bindings.map { AuditEvent($0) }
        events += signings.map { AuditEvent($0) }
        if let session { events.append(AuditEvent(session)) }
        return events
    }
}
