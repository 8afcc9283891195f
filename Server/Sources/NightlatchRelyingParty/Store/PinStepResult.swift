/// A state after a ``PinStep``, and what is to be written down beside it.
package struct PinStepResult: Hashable, Sendable {
    package let outcome: PinStepOutcome
    /// What the audit log is told, in this order.
    package let events: [Event]
    /// Whether the step's enrolment code was used up.
    package let usesCode: Bool

    package struct Event: Hashable, Sendable {
        package let kind: AuditEvent.Kind
        /// How many guesses are charged, or were cleared.
        package let count: Int?
        package let actor: ActingParty

        package init(_ kind: AuditEvent.Kind, by actor: ActingParty = .device, count: Int? = nil) {
            self.kind = kind
            self.count = count
            self.actor = actor
        }

        /// The event as it is appended for `device`.
        package func auditEvent(of device: RegisteredDevice) -> AuditEvent {
            AuditEvent(kind, by: actor, user: device.user, device: device.id, count: count)
        }
    }
}
