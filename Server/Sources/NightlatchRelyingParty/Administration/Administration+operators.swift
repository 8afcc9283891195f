package import NightlatchWire

extension Administration {
    /// All operators, in the order of their users' ids.
    package func operators() async throws(AdministrationError) -> [Operator] {
        try await ask { () async throws(RelyingPartyStoreError) in try await store.operators() }
    }

    /// - Throws: ``AdministrationError`` `operatorUnknown` if the user is no operator.
    package func operatorRecord(of user: UserID) async throws(AdministrationError) -> Operator {
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.operatorRecord(of: user)
        }
        guard let found else { throw .operatorUnknown }
        return found
    }

    /// Adds, changes or removes an operator, as ``OperatorStore/changeOperator(_:of:keepingOwner:by:)``.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - user: The user of the operator.
    ///   - keepsOwner: Whether a change that would leave no owner is refused.
    /// - Returns: The operator as it now is, or as it was before it was removed.
    /// - Throws: ``AdministrationError``. Nothing changed, except perhaps after `store`.
    @discardableResult
    package func change(
        _ change: OperatorChange, of user: UserID, keepingOwner keepsOwner: Bool
    ) async throws(AdministrationError) -> Operator {
        let outcome = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.changeOperator(change, of: user, keepingOwner: keepsOwner, by: party)
        }
        switch outcome {
        case .stored(let found), .removed(let found): return found
        case .alreadyOperator(let current): throw .alreadyOperator(current.role)
        case .nameTaken: throw .operatorNameTaken
        case .noSuchOperator: throw .operatorUnknown
        case .tooMany: throw .tooManyOperators
        case .lastOwner: throw .lastOwner
        }
    }
}
