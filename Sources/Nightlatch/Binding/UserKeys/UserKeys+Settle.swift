import NightlatchWire

/// Which keys a ceremony with a server has used.
package struct UsedUserKeys: Hashable, Sendable {
    /// The keys that it was to bind.
    package private(set) var offered: Set<KeyTag> = []
    /// The keys that have signed.
    package private(set) var signed: Set<KeyTag> = []
    /// Those of the last step. A success that answers that step vouches for them alone: what signed earlier may have been refused, and
    /// the success be another way's.
    private(set) var signedLast: Set<KeyTag> = []

    package init() {}

    /// Notes what the next step carries.
    package mutating func step(offering offered: Set<KeyTag>, signedBy signed: Set<KeyTag>) {
        self.offered.formUnion(offered)
        self.signed.formUnion(signed)
        signedLast = signed
    }
}

extension UserKeys {
    /// Draws the conclusion of a ceremony that the server has ended.
    ///
    /// After success the keys that were offered are what signs from now on, and for a key that has signed the last step the ones before it go. After a no
    /// the keys that were offered go, and a key that has signed and never proved itself steps back behind the one before it.
    /// Where no answer came nothing is to be concluded: do not call this.
    ///
    /// - Throws: ``UserKeyError``. What was written down holds; keys that are to go do so at the latest with the next binding.
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
