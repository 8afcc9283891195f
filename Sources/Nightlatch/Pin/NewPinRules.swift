/// All rules for one new PIN: the policy, the current PIN, and the app's own rule.
///
/// Values are equal if they have the same policy and compare with the same entry of the current PIN. Apps' rules cannot
/// be compared; a vault always has the same one.
package struct NewPinRules: Sendable {
    package let policy: PinPolicy
    private let rule: PinRule?
    /// The current PIN, if the user has just entered it. The owner of the box wipes it after the choice.
    private let current: PinBox?

    package init(_ policy: PinPolicy, rule: PinRule? = nil, otherThan current: PinBox? = nil) {
        self.policy = policy
        self.rule = rule
        self.current = current
    }

    /// Returns all reasons to refuse `pin`; none if it may be set. The app's rule is asked only if there is no other
    /// reason.
    package func objections(to pin: borrowing Pin) -> [PinObjection] {
        objections(to: pin, isCurrent: current?.contains(pin) == true)
    }

    /// - Parameter isCurrent: Whether `pin` is the current PIN.
    package func objections(to pin: borrowing Pin, isCurrent: Bool) -> [PinObjection] {
        var objections = policy.objections(to: pin)
        if isCurrent { objections.append(.sameAsCurrent) }
        if objections.isEmpty, let reason = rule?(pin) { objections.append(.ofApp(reason)) }
        return objections
    }
}

extension NewPinRules: Hashable {
    package static func == (one: Self, other: Self) -> Bool {
        one.policy == other.policy && one.current === other.current
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(policy) }
}
