public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func operators() async throws(RelyingPartyStoreError) -> [Operator] {
        storedOperators.values.sorted { $0.user.rawValue.utf8.lexicographicallyPrecedes($1.user.rawValue.utf8) }
    }

    public func operatorRecord(of user: UserID) async throws(RelyingPartyStoreError) -> Operator? {
        storedOperators[user]
    }

    public func changeOperator(
        _ change: OperatorChange, of user: UserID, keepingOwner keepsOwner: Bool, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> OperatorChangeOutcome {
        let effects = OperatorEffects(
            change, of: user, among: Array(storedOperators.values), keepingOwner: keepsOwner, by: actor,
            at: clock.now())
        guard let event = effects.event else { return effects.outcome }
        switch effects.outcome {
        case .stored(let person):
            if case .add = change {
                noteUser(user)
                codes = codes.filter { $0.value.user != user || $0.value.usedBy != nil }
            }
            storedOperators[user] = person
        case .removed: storedOperators[user] = nil
        case .alreadyOperator, .nameTaken, .noSuchOperator, .tooMany, .lastOwner: break
        }
        append(event)
        return effects.outcome
    }
}
