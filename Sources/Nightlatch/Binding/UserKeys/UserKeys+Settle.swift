import NightlatchWire

/// The keys that a ceremony with a server has used.
package struct UsedUserKeys: Hashable, Sendable {
    /// The keys that the ceremony was to bind.
    package private(set) var offered: Set<KeyTag> = []
    /// The keys that have signed.
    package private(set) var signed: Set<KeyTag> = []
    /// The keys that have signed the last step. A success that answers that step proves only these keys: an earlier
    /// signature may have been refused, and the success may be due to another authentication method.
    private(set) var signedLast: Set<KeyTag> = []

    package init() {}

    /// Records the keys of the next step.
    package mutating func step(offering offered: Set<KeyTag>, signedBy signed: Set<KeyTag>) {
        self.offered.formUnion(offered)
        self.signed.formUnion(signed)
        signedLast = signed
    }
}

extension UserKeys {
    /// Updates the keys after the server has ended a ceremony.
    ///
    /// After success, the offered keys sign from now on. A key that has signed the last step replaces the user's
    /// earlier keys, which are removed.
    ///
    /// After a refusal, the offered keys are removed. A key that has signed and has never proved itself gets a lower
    /// rank than the user's earlier key.
    ///
    /// Do not call this if there was no answer: then the outcome is unknown.
    ///
    /// - Throws: ``UserKeyError``. Stored changes remain. If keys could not be removed, the next binding removes them
    ///   at the latest.
    package func settle(_ used: UsedUserKeys, hasSucceeded: Bool) async throws(UserKeyError) {
        guard used != UsedUserKeys() else { return }
        try await update { record in
            if hasSucceeded { record.accept(used) } else { record.refuse(used) }
        }
        try await finishLeaving()
    }
}

extension UserKeyRegistryRecord {
    mutating func accept(_ used: UsedUserKeys) {
        for tag in used.offered where self[tag]?.stage == .offered { self[tag]?.stage = .accepted }
        for tag in used.signedLast {
            guard let key = self[tag], key.stage.rank != nil, let place = keys.firstIndex(of: key) else { continue }
            let replaced = Set(keys[..<place].filter { $0.owner == key.owner && $0.stage != .leaving }.map(\.tag))
            leave { replaced.contains($0.tag) }
            self[tag]?.stage = .proved
        }
    }

    mutating func refuse(_ used: UsedUserKeys) {
        leave { used.offered.contains($0.tag) && $0.stage == .offered }
        for tag in used.signed where self[tag]?.stage == .accepted { self[tag]?.stage = .offered }
    }
}
