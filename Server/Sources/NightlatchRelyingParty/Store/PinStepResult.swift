/// The result of a ``PinStep``, and the other records to write with the new state.
package struct PinStepResult: Hashable, Sendable {
    package let outcome: PinStepOutcome
    /// The events for the audit log, in this order.
    package let events: [Event]
    /// Whether the step consumed its enrolment code.
    package let usesCode: Bool

    package struct Event: Hashable, Sendable {
        package let kind: AuditEvent.Kind
        /// The number of guesses that are charged, or that were cleared.
        package let count: Int?
        package let actor: ActingParty

        package init(_ kind: AuditEvent.Kind, by actor: ActingParty = .device, count: Int? = nil) {
            self.kind = kind
            self.count = count
            self.actor = actor
        }

        /// The event to append for `device`.
        package func auditEvent(of device: DeviceRecord) -> AuditEvent {
            AuditEvent(kind, by: actor, user: device.user, device: device.id, count: count)
        }
    }
}
