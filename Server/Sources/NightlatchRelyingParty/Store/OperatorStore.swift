public import NightlatchWire

/// The operators of the console. Each verb is one transaction, as in ``RelyingPartyStore``.
///
/// A deleted user is no operator any more: the deletion of the user removes the record too.
public protocol OperatorStore: Sendable {
    /// All operators, in the byte order of their users' ids. Writes nothing.
    func operators() async throws(RelyingPartyStoreError) -> [Operator]

    /// The operator with this user id, or nil if there is none. Writes nothing.
    func operatorRecord(of user: UserID) async throws(RelyingPartyStoreError) -> Operator?

    /// Adds, changes or removes an operator. To add one creates the user if there is none yet.
    ///
    /// A call that finds its effect already stored changes nothing, so it can be repeated after an error. A repeated
    /// removal then finds no operator.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - user: The user of the operator.
    ///   - keepsOwner: Whether a change that would leave no owner is refused.
    ///   - actor: The party that makes the change.
    func changeOperator(
        _ change: OperatorChange, of user: UserID, keepingOwner keepsOwner: Bool, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> OperatorChangeOutcome
}

/// A change of ``OperatorStore/changeOperator(_:of:keepingOwner:by:)``.
public enum OperatorChange: Hashable, Sendable {
    /// Makes a user an operator. Unused enrolment codes of the user become invalid: someone else may have them.
    case add(name: PartyName, role: OperatorRole)
    /// Changes the members that are not nil.
    case change(name: PartyName?, role: OperatorRole?)
    case remove
}

/// The outcome of a change. Only ``stored(_:)`` and ``removed(_:)`` mean that something may have been written.
public enum OperatorChangeOutcome: Hashable, Sendable {
    /// The operator is now this.
    case stored(Operator)
    /// The user was this operator.
    case removed(Operator)
    /// The user is this operator already.
    case alreadyOperator(Operator)
    /// Another operator has this name.
    case nameTaken
    /// The user is no operator.
    case noSuchOperator
    /// There are ``Operator/countLimit`` operators.
    case tooMany
    /// The only owner would no longer be one.
    case lastOwner
}

/// What ``OperatorStore/changeOperator(_:of:keepingOwner:by:)`` writes.
package struct OperatorEffects: Sendable {
    package let outcome: OperatorChangeOutcome
    /// The entry for the audit log; nil if nothing is to be written.
    package let event: AuditEvent?

    /// Decides about a change.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - user: The user of the operator.
    ///   - operators: All operators.
    ///   - keepsOwner: Whether a change that would leave no owner is refused.
    ///   - actor: The party that makes the change.
    ///   - now: The time of the transaction.
    package init(
        _ change: OperatorChange, of user: UserID, among operators: [Operator], keepingOwner keepsOwner: Bool,
        by actor: ActingParty, at now: NumericDate
    ) {
        let current = operators.first { $0.user == user }
        let others = operators.filter { $0.user != user }
        func isTaken(_ name: PartyName) -> Bool { others.contains { $0.name == name } }
        let isLastOwner = keepsOwner && current?.role == .owner && !others.contains { $0.role == .owner }
        switch (change, current) {
        case (.add(let name, let role), let current?):
            (outcome, event) = (
                current.name == name && current.role == role ? .stored(current) : .alreadyOperator(current), nil
            )
        case (.add(let name, let role), nil):
            if isTaken(name) {
                (outcome, event) = (.nameTaken, nil)
            } else if operators.count >= Operator.countLimit {
                (outcome, event) = (.tooMany, nil)
            } else {
                let new = Operator(user: user, name: name, role: role, addedAt: now)
                (outcome, event) = (.stored(new), AuditEvent(.operatorAdded, of: new, by: actor))
            }
        case (_, nil): (outcome, event) = (.noSuchOperator, nil)
        case (.change(let name, let role), let current?):
            let new = Operator(
                user: user, name: name ?? current.name, role: role ?? current.role, addedAt: current.addedAt)
            if new == current {
                (outcome, event) = (.stored(current), nil)
            } else if isTaken(new.name) {
                (outcome, event) = (.nameTaken, nil)
            } else if isLastOwner, new.role != .owner {
                (outcome, event) = (.lastOwner, nil)
            } else {
                (outcome, event) = (.stored(new), AuditEvent(.operatorChanged, of: new, by: actor))
            }
        case (.remove, let current?):
            if isLastOwner {
                (outcome, event) = (.lastOwner, nil)
            } else {
                (outcome, event) = (.removed(current), AuditEvent(.operatorRemoved, of: current, by: actor))
            }
        }
    }
}
